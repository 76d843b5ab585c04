"""Stored files in S3-compatible storage. Imported only where `HUACE_STORAGE_URL` is set: it needs the extra `s3`."""

import io
import time
from collections.abc import Hashable, Iterator
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import Any, BinaryIO, cast

from boto3.exceptions import Boto3Error, S3UploadFailedError
from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError
from django.conf import settings
from django.utils.translation import gettext_noop
from storages.backends.s3 import S3Storage

from serving.stored_files import StorageGone

# One request a piece: a download never holds more of a file than this.
PIECE_BYTES = 1 << 20
_REFUSALS = {"404": gettext_noop("has no such bucket"), "403": gettext_noop("refuses the key")}
_MISSING = {"404", "NoSuchKey", "NotFound"}
_CONFIG = Config(
    signature_version="s3v4",
    s3={"addressing_style": "path"},
    connect_timeout=5,
    read_timeout=30,
    retries={"mode": "standard", "max_attempts": 4},
    # Not every server of the protocol knows the newer checksums.
    request_checksum_calculation="when_required",
    response_checksum_validation="when_required",
)
# A page or a proxy waits for a look, which moves no bytes of a file: it gives up sooner than a download.
_CONFIG_OF_LOOKS = _CONFIG.merge(
    Config(connect_timeout=1, read_timeout=3, retries={"mode": "standard", "total_max_attempts": 2})
)
# After a look without an answer the next ones are not made: a page takes several, and a list of snapshots many.
SILENCE_KEPT_S = 10.0


class S3Files(S3Storage):
    def __init__(self, **options: Any) -> None:
        super().__init__(client_config=_CONFIG, file_overwrite=True, **options)
        self._silent_until = 0.0

    def drafts(self) -> Path:
        return Path(settings.VAR_DIR)

    def put(self, name: str, draft: Path) -> None:
        n_bytes = draft.stat().st_size
        with _as_os_errors(name):
            # In parts where it is large; nobody sees it before the last one is there.
            self._object(name).upload_file(str(draft))
        with _as_os_errors(name):
            n_stored = int(self._object(name).content_length)
        if n_stored != n_bytes:
            self.remove(name)
            raise StorageGone("The storage stored another length than was sent: try again.")
        draft.unlink()

    def reading(self, name: str) -> BinaryIO:
        found = self._look(name)
        ranges = _Ranges(name, self._object(name), n_bytes=int(found["ContentLength"]), tag=found["ETag"])
        return cast(BinaryIO, io.BufferedReader(ranges, PIECE_BYTES))

    def size(self, name: str) -> int:
        return int(self._look(name)["ContentLength"])

    def mark_of(self, name: str) -> Hashable:
        found = self._look(name)
        return found["ETag"], found["LastModified"]

    def remove(self, name: str) -> None:
        with _as_os_errors(name):
            self._remove(self._object(name))

    def remove_folder(self, name: str) -> None:
        with _as_os_errors(name):
            for stored in self.bucket.objects.filter(Prefix=f"{self._normalize_name(name)}/"):
                self._remove(stored)

    def _remove(self, stored: Any) -> None:
        self.connection.meta.client.delete_object(Bucket=stored.bucket_name, Key=stored.key)

    def refusal(self) -> str:
        try:
            self._looking.head_bucket(Bucket=self.bucket_name)
        except ClientError as refused:
            return _REFUSALS.get(_code(refused), gettext_noop("answers with an error"))
        except (BotoCoreError, Boto3Error):
            return gettext_noop("does not answer")
        self._silent_until = 0.0
        return ""

    def _look(self, name: str) -> Any:
        if time.monotonic() < self._silent_until:
            raise StorageGone("The storage did not answer a moment ago.")
        with _as_os_errors(name):
            try:
                return self._looking.head_object(Bucket=self.bucket_name, Key=self._normalize_name(name))
            except (BotoCoreError, Boto3Error):
                self._silent_until = time.monotonic() + SILENCE_KEPT_S
                raise

    @cached_property
    def _looking(self) -> Any:
        return self._create_session().client(
            "s3",
            region_name=self.region_name,
            use_ssl=self.use_ssl,
            endpoint_url=self.endpoint_url,
            config=_CONFIG_OF_LOOKS,
            verify=self.verify,
        )

    def _object(self, name: str) -> Any:
        return self.bucket.Object(self._normalize_name(name))


class _Ranges(io.RawIOBase):
    """A stored object as a file: each read asks for the bytes that it needs, of the object that was there at first."""

    def __init__(self, name: str, stored: Any, *, n_bytes: int, tag: str) -> None:
        self._name, self._stored = name, stored
        self._n_bytes, self._tag = n_bytes, tag
        self._at = 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        self._at = {io.SEEK_SET: 0, io.SEEK_CUR: self._at, io.SEEK_END: self._n_bytes}[whence] + offset
        return self._at

    def tell(self) -> int:
        return self._at

    def readinto(self, buffer: Any) -> int:
        end = min(self._at + len(buffer), self._n_bytes)
        if self._at >= end:
            return 0
        with _as_os_errors(self._name):
            answer = self._stored.get(Range=f"bytes={self._at}-{end - 1}", IfMatch=self._tag)
            piece = answer["Body"].read()
        if len(piece) != end - self._at:
            raise StorageGone(f"The storage sent another length of {self._name} than it was asked for.")
        buffer[: len(piece)] = piece
        self._at = end
        return len(piece)


@contextmanager
def _as_os_errors(name: str) -> Iterator[None]:
    try:
        yield
    except ClientError as refused:
        if _code(refused) in _MISSING:
            raise FileNotFoundError(f"{name} is not in the storage.") from refused
        raise StorageGone(f"The storage refused {name} ({_code(refused)}).") from refused
    except S3UploadFailedError as failed:
        # boto3 raises it in place of what the server answered.
        answered = failed.__context__
        why = _code(answered) if isinstance(answered, ClientError) else type(failed).__name__
        raise StorageGone(f"The storage refused {name} ({why}).") from failed
    except (BotoCoreError, Boto3Error) as gone:
        raise StorageGone(f"The storage does not answer ({type(gone).__name__}).") from gone


def _code(refused: ClientError) -> str:
    return str(refused.response.get("Error", {}).get("Code", ""))
