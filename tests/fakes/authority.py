"""A certificate authority for bots behind TLS."""

import ssl
from datetime import UTC, datetime, timedelta

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

NOW = datetime.now(UTC)


class Authority:
    """A certificate authority of the test's own."""

    def __init__(self) -> None:
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Test authority")])
        made = self._builder(self.name, self.key, NOW + timedelta(days=1))
        made = made.add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        self.certificate = made.sign(self.key, hashes.SHA256())

    def _builder(self, subject, key, until) -> x509.CertificateBuilder:
        made = x509.CertificateBuilder().subject_name(subject).issuer_name(self.name).public_key(key.public_key())
        made = made.serial_number(x509.random_serial_number())
        return made.not_valid_before(NOW - timedelta(days=2)).not_valid_after(until)

    def server_context(self, folder, names, until) -> ssl.SSLContext:
        """What a server needs for a certificate of those names, signed by this authority."""
        key = ec.generate_private_key(ec.SECP256R1())
        subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "bot")])
        made = self._builder(subject, key, until).add_extension(x509.SubjectAlternativeName(names), critical=False)
        no_password = serialization.NoEncryption()
        pem = key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.TraditionalOpenSSL, no_password
        ) + made.sign(self.key, hashes.SHA256()).public_bytes(serialization.Encoding.PEM)
        (folder / "bot.pem").write_bytes(pem)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(folder / "bot.pem")
        return context

    def client_context(self) -> ssl.SSLContext:
        pem = self.certificate.public_bytes(serialization.Encoding.PEM).decode()
        return ssl.create_default_context(cadata=pem)
