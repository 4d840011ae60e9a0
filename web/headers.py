"""The headers that every answer carries: what a browser may load, and how little it tells others."""

from __future__ import annotations

from flask import Flask, Response, request

# Scripts and styles are files of ours, never text of the page, and nothing comes from elsewhere: text of a cited page
# can do nothing here.
CONTENT_SECURITY_POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "connect-src 'self'",
        "style-src 'self'",
        "img-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    )
)


def add_headers(app: Flask) -> None:
    """Set the headers on every answer of the app, errors included."""

    @app.after_request
    def protect(response: Response) -> Response:
        response.headers["Content-Security-Policy"] = CONTENT_SECURITY_POLICY
        response.headers["X-Content-Type-Options"] = "nosniff"
        response.headers["X-Frame-Options"] = "DENY"
        # Our own forms need the referrer over TLS (Flask-WTF compares it); no other site gets one.
        response.headers["Referrer-Policy"] = "same-origin"
        response.headers["Permissions-Policy"] = "camera=(), geolocation=(), microphone=()"
        response.headers["Cross-Origin-Opener-Policy"] = "same-origin"
        if response.mimetype == "text/html":
            response.headers["Cache-Control"] = "no-cache, private"
            response.vary.update(("Accept-Language", "Cookie"))
        elif request.endpoint == "static" and ("v" in request.args or "/vendor/icon-" in request.path):
            # The address has the file's digest in it: what it leads to never changes.
            response.headers["Cache-Control"] = "public, max-age=31536000, immutable"
        return response
