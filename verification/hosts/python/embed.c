// A program that starts Python twice, and imports the package each time.
#include <Python.h>

int main(void) {
    for (int turn = 0; turn < 2; turn++) {
        Py_Initialize();
        PyRun_SimpleString("try:\n"
                           "    import bulat\n"
                           "    print(bulat.streebog256(b'abc').hexdigest()[:8], flush=True)\n"
                           "except ImportError as error:\n"
                           "    print('refused' if 'interpreter' in str(error) else error, flush=True)\n");
        Py_FinalizeEx();
    }
    return 0;
}
