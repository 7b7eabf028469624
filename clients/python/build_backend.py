"""Builds the package with the standard library alone: `pip install ./clients/python` then needs no setuptools and no network.

`python3 build_backend.py` writes the wheel into dist/. Hooks as PEP 517 names them, files as PEP 427 and 643 do.
"""

from __future__ import annotations

import base64
import hashlib
import io
import re
import tarfile
import zipfile
from pathlib import Path
from typing import Any, Dict, Optional

HERE = Path(__file__).resolve().parent
# The oldest time that a zip file can hold: the same sources make the same file.
MADE_AT = (1980, 1, 1, 0, 0, 0)


def build_wheel(
    wheel_directory: str, config_settings: Optional[Dict[str, Any]] = None, metadata_directory: Optional[str] = None
) -> str:
    info = f"docent_client-{_version()}.dist-info"
    files = {f"docent_client/{path.name}": path.read_bytes() for path in _sources()}
    files[f"{info}/METADATA"] = _metadata().encode()
    files[f"{info}/WHEEL"] = b"Wheel-Version: 1.0\nGenerator: docent\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    files[f"{info}/licenses/LICENSE"] = (HERE / "LICENSE").read_bytes()
    record = "".join(f"{name},sha256={_digest(text)},{len(text)}\n" for name, text in files.items())
    files[f"{info}/RECORD"] = f"{record}{info}/RECORD,,\n".encode()
    name = f"docent_client-{_version()}-py3-none-any.whl"
    with zipfile.ZipFile(Path(wheel_directory) / name, "w", zipfile.ZIP_DEFLATED) as wheel:
        for file, text in files.items():
            entry = zipfile.ZipInfo(file, MADE_AT)
            entry.external_attr = 0o644 << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            wheel.writestr(entry, text)
    return name


def build_sdist(sdist_directory: str, config_settings: Optional[Dict[str, Any]] = None) -> str:
    base = f"docent_client-{_version()}"
    own = [HERE / name for name in ("LICENSE", "README.md", "build_backend.py", "pyproject.toml")]
    files = {str(path.relative_to(HERE)): path.read_bytes() for path in [*own, *_sources()]}
    files["PKG-INFO"] = _metadata().encode()
    with tarfile.open(Path(sdist_directory) / f"{base}.tar.gz", "w:gz", format=tarfile.PAX_FORMAT) as archive:
        for file, text in files.items():
            entry = tarfile.TarInfo(f"{base}/{file}")
            entry.size = len(text)
            archive.addfile(entry, io.BytesIO(text))
    return f"{base}.tar.gz"


def _sources() -> "list[Path]":
    folder = HERE / "docent_client"
    return sorted(path for path in folder.iterdir() if path.suffix == ".py" or path.name == "py.typed")


def _version() -> str:
    found = re.search(r'^version = "([^"]+)"', (HERE / "pyproject.toml").read_text("utf-8"), re.MULTILINE)
    assert found is not None
    return found.group(1)


def _metadata() -> str:
    return "\n".join(
        [
            "Metadata-Version: 2.1",
            "Name: docent-client",
            f"Version: {_version()}",
            "Summary: Client for the interface of a Docent server: agent jobs on documentation, and exact visitor counts.",
            "License: Apache-2.0",
            "Requires-Python: >=3.9",
            "Description-Content-Type: text/markdown",
            "",
            (HERE / "README.md").read_text("utf-8"),
        ]
    )


def _digest(text: bytes) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(text).digest()).decode().rstrip("=")


if __name__ == "__main__":
    (HERE / "dist").mkdir(exist_ok=True)
    print(HERE / "dist" / build_wheel(str(HERE / "dist")))
