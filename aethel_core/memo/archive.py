"""The same bytes for the same content: office files are zip archives that carry the time of writing."""

from __future__ import annotations

import io
import zipfile

_MOMENT = (1980, 1, 1, 0, 0, 0)


def steady(data: bytes) -> bytes:
    """The archive with its members in the same order and no time of writing."""
    target = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(data)) as given,
        zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as made,
    ):
        for name in given.namelist():
            member = zipfile.ZipInfo(name, _MOMENT)
            member.compress_type = zipfile.ZIP_DEFLATED
            member.external_attr = 0o644 << 16
            made.writestr(member, given.read(name))
    return target.getvalue()
