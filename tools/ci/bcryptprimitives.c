/* Wine before 8.1 has no bcryptprimitives.dll, the source of random numbers for Rust's std. This replaces it, only in
 * tests (tools/ci/5-targets.sh). */
unsigned char __stdcall SystemFunction036(void *buffer, unsigned long len); /* of advapi32 */

__declspec(dllexport) int __stdcall ProcessPrng(unsigned char *buffer, unsigned long long len) {
    for (unsigned long n; len > 0; buffer += n, len -= n) {
        n = len < 1 << 20 ? (unsigned long)len : 1 << 20;
        if (!SystemFunction036(buffer, n)) return 0;
    }
    return 1;
}
