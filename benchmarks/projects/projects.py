"""The projects: pinned, with the digests of their sdists and the files that hold Hypothesis tests."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Project:
    """One sdist of PyPI that comes with Hypothesis tests."""

    version: str
    #: The SHA-256 digest of the sdist.
    digest: str
    #: What to give to pytest.
    tests: tuple[str, ...] = ("tests",)
    #: What else its tests import.
    needs: tuple[str, ...] = ()


PROJECTS = {
    "argon2-cffi": Project("25.1.0", "694ae5cc8a42f4c4e2bf2ca0e64e51e23a040c6a517a85074683d3959e1346c1"),
    "attrs": Project(
        "26.1.0",
        "d03ceb89cb322a8fd706d4fb91940737b6642aa36998fe130a9bc96c985eff32",
        needs=("cloudpickle", "pympler"),
    ),
    "cattrs": Project(
        "26.2.1",
        "679132bfdc225c5ee40c024fc42519954767c387f950dc6751946c586bccdc6d",
        needs=(
            "immutables",
            "msgpack",
            "msgspec",
            "orjson",
            "pymongo",
            "pyyaml",
            "tomlkit",
            "ujson",
            "cbor2",
        ),
    ),
    "cbor2": Project("6.2.1", "086c1588bd407a46739da704b5ee7d15225dc998d9582a0519fc6c9a114b25f7"),
    "eth-abi": Project(
        "6.0.0",
        "e83a0ed91f2dadeeb50236d673736fe2edc6fcc0a1c1e13d461192d4b23d5bcc",
        needs=("eth-hash[pycryptodome]",),
    ),
    "eth-keys": Project(
        "0.8.0",
        "11549b251876fccd7caedd6905e494ea2309aec352ec2579b00ef9978017a964",
        needs=("asn1tools", "factory-boy", "pyasn1"),
    ),
    "eth-utils": Project(
        "6.0.0",
        "eb54b2f82dd300d3142c49a89da195e823f5e5284d43203593f87c67bad92a96",
        tests=(
            "tests/core/currency-utils",
            "tests/core/encoding-utils",
        ),
    ),
    "h2": Project("4.4.1", "4e866ffb1a869ae14dd9b5e6beb5c24a13da0495ad72b65925ded182521c1516"),
    "hexbytes": Project("2.0.0", "01312fcd5c57e8a8d2d7dd3274dcf84ea50422aff2abcc2d9fd89ad6a32498e5"),
    "hpack": Project("4.2.0", "0895cfa3b5531fc65fe439c05eb65144f123bf7a394fcaa56aa423548d8e45c0"),
    "hyperlink": Project(
        "21.0.0",
        "427af957daa58bc909471c6c40f74c5450fa123dd093fc53efd2e91d2705a56b",
        tests=("src/hyperlink/test/test_hypothesis.py",),
    ),
    "multidict": Project(
        "7.2.1",
        "e8af3e6f1bdbc31fd762b094133b478b89988eaebc63cbe82b1d9e3bbd15cede",
        needs=("objgraph", "psutil"),
    ),
    "priority": Project(
        "2.0.0", "c965d54f1b8d0d0b19479db3924c7c36cf672dbf2aec92d43fbdaf4492ba18c0", tests=("test",)
    ),
    "pynacl": Project("1.6.2", "018494d6d696ae03c7e656e5e74cdfd8ea1326962cc401bcf018f1ed8436811c"),
    "pyrsistent": Project(
        "0.20.0",
        "4c48f78f62ab596c679086084d0dd13254ae4f3d6c72a83ffdf5ebdef8f265a4",
        tests=("tests/hypothesis_vector_test.py",),
    ),
    "python-dateutil": Project(
        "4.0.0", "d7295ff14fdc0f92f662100bfb6c551d160ca090f2939f1ec5b9794265c03f06", tests=("tests/property",)
    ),
    "rlp": Project("5.0.0", "ae8ac791160c160e270f9c7df76e68f4d42bb86a13726d807b9357c312d0bac4"),
    "trie": Project(
        "4.0.0",
        "be987dabe094e8d12167f0ef335bc2999aecac8e55a734488d73a740069a7bf2",
        tests=(
            "tests/core/test_smt.py",
            "tests/core/test_bin_trie.py",
            "tests/core/test_hexary_trie_walk.py",
            "tests/core/test_nibbles_utils.py",
            "tests/core/test_fog.py",
            "tests/core/test_binaries_utils.py",
        ),
    ),
    "whenever": Project(
        "0.11.0", "e458c72a08fb03cab5adedfd2b34aa35c389091f07f73892a1fb281742535a5c", needs=("pytest-order",)
    ),
}
