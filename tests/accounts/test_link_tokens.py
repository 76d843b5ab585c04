from accounts.link_tokens import digest_of, new_token


def test_a_token_has_256_bits_and_is_never_the_same():
    tokens = {new_token() for _ in range(100)}
    assert len(tokens) == 100
    assert {len(token) for token in tokens} == {43}


def test_the_digest_of_a_token_is_its_sha_256():
    assert digest_of("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
