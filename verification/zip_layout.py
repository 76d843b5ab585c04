"""Whether a zip is made of its files and their directory alone: bytes that no reader unpacks could tell anything. Pure."""

import struct
from collections.abc import Iterator, Sequence
from typing import IO
from zipfile import ZipFile, ZipInfo

LOCAL_HEADER, LENGTHS_AT = 30, 26
DIRECTORY_ENTRY, END, END_OF_ZIP64 = 46, 22, 76
HAS_DESCRIPTOR = 0x8
SIGNATURE = b"PK\x07\x08"
LONGEST_DESCRIPTOR = 24
TOO_LONG = 1 << 32


def strange_bytes(archive: ZipFile) -> Iterator[str]:
    """A sentence on each place that belongs to no file and to no directory."""
    file, infos = archive.fp, sorted(archive.infolist(), key=lambda info: info.header_offset)
    if file is None:
        return
    at = 0
    for info in infos:
        if info.header_offset != at:
            yield f"has bytes before {info.filename!a} that belong to no file"
        at = _end_of(file, info)
        if info.comment:
            yield f"has a comment on {info.filename!a}"
    if archive.start_dir != at:
        yield "has bytes before its directory that belong to no file"
    if archive.comment:
        yield "has a comment"
    if not _ends_with_directory(file, archive, infos):
        yield "has bytes behind its directory"


def _end_of(file: IO[bytes], info: ZipInfo) -> int:
    """Where the file's packed bytes end, with what follows them where sizes were not known before."""
    file.seek(info.header_offset + LENGTHS_AT)
    name, extra = struct.unpack("<HH", file.read(4))
    end = int(info.header_offset + LOCAL_HEADER + name + extra + info.compress_size)
    if not info.flag_bits & HAS_DESCRIPTOR:
        return end
    file.seek(end)
    following = file.read(LONGEST_DESCRIPTOR)
    told = (info.CRC, info.compress_size, info.file_size)
    for signature in (SIGNATURE, b""):
        for sizes in ("<LQQ", "<LLL"):
            if sizes == "<LLL" and max(told) >= TOO_LONG:
                continue
            descriptor = signature + struct.pack(sizes, *told)
            if following.startswith(descriptor):
                return end + len(descriptor)
    return end


def _ends_with_directory(file: IO[bytes], archive: ZipFile, infos: Sequence[ZipInfo]) -> bool:
    directory = sum(DIRECTORY_ENTRY + len(_name_of(info)) + len(info.extra) + len(info.comment) for info in infos)
    end = archive.start_dir + directory + END + len(archive.comment)
    size = file.seek(0, 2)
    return size in (end, end + END_OF_ZIP64)


def _name_of(info: ZipInfo) -> bytes:
    return info.orig_filename.encode("utf-8" if info.flag_bits & 0x800 else "cp437")
