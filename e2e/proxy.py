"""A real proxy: nginx over HTTPS, with lines of the documentation."""

import contextlib
import re
import shutil
import socket
import subprocess
import time

import trustme

from service import PATIENCE, ROOT

# On Debian it is in a folder that not every path has.
NGINX = shutil.which("nginx") or "/usr/sbin/nginx"

# What every configuration begins with: nothing is written outside of the folder.
BEGINNING = """
daemon off;
pid {folder}/nginx.pid;
error_log {folder}/error.log;
events {{}}
http {{
    access_log off;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
"""

CONFIGURATION = BEGINNING + """
    client_body_buffer_size 1m;
    proxy_max_temp_file_size 0;
    gzip on;
    gzip_proxied any;
    gzip_min_length 1;
    gzip_types application/json;
    server {{
        listen 127.0.0.1:{port} ssl;
        ssl_certificate {folder}/chain.pem;
        ssl_certificate_key {folder}/key.pem;
        {locations}
    }}
}}
"""


def documented_location(beginning, upstream):
    """The lines of the documentation that begin so, with another address of the service."""
    page = (ROOT / "docs" / "operation.md").read_text()
    lines = rf"^```\n({re.escape(beginning)}.*?^\}})\n```$"
    location = re.search(lines, page, re.MULTILINE | re.DOTALL)
    assert location, "docs/operation.md shows no such nginx configuration"
    return re.sub(r"proxy_pass http://[^;]+;", f"proxy_pass {upstream};", location[1])


def free_port():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


@contextlib.contextmanager
def nginx(port, locations, folder):
    """Runs nginx over HTTPS with these locations; gives its address and the authority to trust."""
    authority = trustme.CA(key_type=trustme.KeyType.ECDSA)
    certificate = authority.issue_cert("127.0.0.1", key_type=trustme.KeyType.ECDSA)
    certificate.private_key_pem.write_to_path(folder / "key.pem")
    for pem in certificate.cert_chain_pems:
        pem.write_to_path(folder / "chain.pem", append=True)
    authority.cert_pem.write_to_path(folder / "authority.pem")
    text = CONFIGURATION.format(folder=folder, port=port, locations=locations)
    (folder / "nginx.conf").write_text(text)
    process = subprocess.Popen([NGINX, "-p", str(folder), "-c", str(folder / "nginx.conf")])
    try:
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=PATIENCE):
                break
            assert process.poll() is None, (folder / "error.log").read_text()
            time.sleep(0.05)
        yield f"https://127.0.0.1:{port}", str(folder / "authority.pem")
    finally:
        process.terminate()
        process.wait(timeout=PATIENCE)
