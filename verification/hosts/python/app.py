"""An application of WSGI: answers with a value of the package."""


def application(environ, start_response):
    try:
        import bulat

        word = bulat.streebog256(b"abc").hexdigest()[:8]
    except ImportError as error:
        word = "refused" if "WSGIApplicationGroup" in str(error) else repr(error)
    start_response("200 OK", [("Content-Type", "text/plain")])
    return [word.encode()]
