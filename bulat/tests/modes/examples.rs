//! GOST R 34.13-2015 annex A, R 1323565.1.017-2018 annex A, RFC 9058 annex A.

use super::Example;

const E: Example = Example {
    source: "",
    algorithm: "",
    key: "",
    iv: "",
    aad: "",
    msg: "",
    ct: "",
    tag: "",
    section: None,
    period: None,
};

pub const EXAMPLES: &[Example] = &[
    Example {
        source: "GOST R 34.13-2015 A.1.1",
        algorithm: "kuznyechik-ecb",
        key: "8899aabbccddeeff0011223344556677fedcba98765432100123456789abcdef",
        msg: "1122334455667700ffeeddccbbaa998800112233445566778899aabbcceeff0a112233445566778899aabbcceeff0a002233445566778899aabbcceeff0a0011",
        ct: "7f679d90bebc24305a468d42b9d4edcdb429912c6e0032f9285452d76718d08bf0ca33549d247ceef3f5a5313bd4b157d0b09ccde830b9eb3a02c4c5aa8ada98",
        ..E
    },
    Example {
        source: "GOST R 34.13-2015 A.1.2",
        algorithm: "kuznyechik-ctr",
        key: "8899aabbccddeeff0011223344556677fedcba98765432100123456789abcdef",
        iv: "1234567890abcef0",
        msg: "1122334455667700ffeeddccbbaa998800112233445566778899aabbcceeff0a112233445566778899aabbcceeff0a002233445566778899aabbcceeff0a0011",
        ct: "f195d8bec10ed1dbd57b5fa240bda1b885eee733f6a13e5df33ce4b33c45dee4a5eae88be6356ed3d5e877f13564a3a5cb91fab1f20cbab6d1c6d15820bdba73",
        ..E
    },
    Example {
        source: "GOST R 34.13-2015 A.1.3",
        algorithm: "kuznyechik-ofb",
        key: "8899aabbccddeeff0011223344556677fedcba98765432100123456789abcdef",
        iv: "1234567890abcef0a1b2c3d4e5f0011223344556677889901213141516171819",
        msg: "1122334455667700ffeeddccbbaa998800112233445566778899aabbcceeff0a112233445566778899aabbcceeff0a002233445566778899aabbcceeff0a0011",
        ct: "81800a59b1842b24ff1f795e897abd95ed5b47a7048cfab48fb521369d9326bf66a257ac3ca0b8b1c80fe7fc10288a13203ebbc066138660a0292243f6903150",
        ..E
    },
    Example {
        source: "GOST R 34.13-2015 A.1.4",
        algorithm: "kuznyechik-cbc",
        key: "8899aabbccddeeff0011223344556677fedcba98765432100123456789abcdef",
        iv: "1234567890abcef0a1b2c3d4e5f0011223344556677889901213141516171819",
        msg: "1122334455667700ffeeddccbbaa998800112233445566778899aabbcceeff0a112233445566778899aabbcceeff0a002233445566778899aabbcceeff0a0011",
        ct: "689972d4a085fa4d90e52e3d6d7dcc272826e661b478eca6af1e8e448d5ea5acfe7babf1e91999e85640e8b0f49d90d0167688065a895c631a2d9a1560b63970",
        ..E
    },
    Example {
        source: "GOST R 34.13-2015 A.1.5",
        algorithm: "kuznyechik-cfb",
        key: "8899aabbccddeeff0011223344556677fedcba98765432100123456789abcdef",
        iv: "1234567890abcef0a1b2c3d4e5f0011223344556677889901213141516171819",
        msg: "1122334455667700ffeeddccbbaa998800112233445566778899aabbcceeff0a112233445566778899aabbcceeff0a002233445566778899aabbcceeff0a0011",
        ct: "81800a59b1842b24ff1f795e897abd95ed5b47a7048cfab48fb521369d9326bf79f2a8eb5cc68d38842d264e97a238b54ffebecd4e922de6c75bd9dd44fbf4d1",
        ..E
    },
    Example {
        source: "GOST R 34.13-2015 A.1.6",
        algorithm: "kuznyechik-omac",
        key: "8899aabbccddeeff0011223344556677fedcba98765432100123456789abcdef",
        msg: "1122334455667700ffeeddccbbaa998800112233445566778899aabbcceeff0a112233445566778899aabbcceeff0a002233445566778899aabbcceeff0a0011",
        tag: "336f4d296059fbe3",
        ..E
    },
    Example {
        source: "GOST R 34.13-2015 A.2.1",
        algorithm: "magma-ecb",
        key: "ffeeddccbbaa99887766554433221100f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff",
        msg: "92def06b3c130a59db54c704f8189d204a98fb2e67a8024c8912409b17b57e41",
        ct: "2b073f0494f372a0de70e715d3556e4811d8d9e9eacfbc1e7c68260996c67efb",
        ..E
    },
    Example {
        source: "GOST R 34.13-2015 A.2.2",
        algorithm: "magma-ctr",
        key: "ffeeddccbbaa99887766554433221100f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff",
        iv: "12345678",
        msg: "92def06b3c130a59db54c704f8189d204a98fb2e67a8024c8912409b17b57e41",
        ct: "4e98110c97b7b93c3e250d93d6e85d69136d868807b2dbef568eb680ab52a12d",
        ..E
    },
    Example {
        source: "GOST R 34.13-2015 A.2.3",
        algorithm: "magma-ofb",
        key: "ffeeddccbbaa99887766554433221100f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff",
        iv: "1234567890abcdef234567890abcdef1",
        msg: "92def06b3c130a59db54c704f8189d204a98fb2e67a8024c8912409b17b57e41",
        ct: "db37e0e266903c830d46644c1f9a089ca0f83062430e327ec824efb8bd4fdb05",
        ..E
    },
    Example {
        source: "GOST R 34.13-2015 A.2.4",
        algorithm: "magma-cbc",
        key: "ffeeddccbbaa99887766554433221100f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff",
        iv: "1234567890abcdef234567890abcdef134567890abcdef12",
        msg: "92def06b3c130a59db54c704f8189d204a98fb2e67a8024c8912409b17b57e41",
        ct: "96d1b05eea683919aff76129abb937b95058b4a1c4bc001920b78b1a7cd7e667",
        ..E
    },
    Example {
        source: "GOST R 34.13-2015 A.2.5",
        algorithm: "magma-cfb",
        key: "ffeeddccbbaa99887766554433221100f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff",
        iv: "1234567890abcdef234567890abcdef1",
        msg: "92def06b3c130a59db54c704f8189d204a98fb2e67a8024c8912409b17b57e41",
        ct: "db37e0e266903c830d46644c1f9a089c24bdd2035315d38bbcc0321421075505",
        ..E
    },
    Example {
        source: "GOST R 34.13-2015 A.2.6",
        algorithm: "magma-omac",
        key: "ffeeddccbbaa99887766554433221100f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff",
        msg: "92def06b3c130a59db54c704f8189d204a98fb2e67a8024c8912409b17b57e41",
        tag: "154e7210",
        ..E
    },
    Example {
        source: "R 1323565.1.017-2018 A.1",
        algorithm: "magma-ctr-acpkm",
        key: "8899aabbccddeeff0011223344556677fedcba98765432100123456789abcdef",
        iv: "12345678",
        msg: "1122334455667700ffeeddccbbaa998800112233445566778899aabbcceeff0a112233445566778899aabbcceeff0a002233445566778899",
        ct: "2ab81deeeb1e4cab68e104c4bd6b94eac72c67af6c2e5b6b0eafb61770f1b32ea1ae71149eed1382abd467180672ec6f84a2f15b3fca72c1",
        section: Some(16),
        ..E
    },
    Example {
        source: "R 1323565.1.017-2018 A.2",
        algorithm: "kuznyechik-ctr-acpkm",
        key: "8899aabbccddeeff0011223344556677fedcba98765432100123456789abcdef",
        iv: "1234567890abcef0",
        msg: "1122334455667700ffeeddccbbaa998800112233445566778899aabbcceeff0a112233445566778899aabbcceeff0a002233445566778899aabbcceeff0a001133445566778899aabbcceeff0a001122445566778899aabbcceeff0a001122335566778899aabbcceeff0a0011223344",
        ct: "f195d8bec10ed1dbd57b5fa240bda1b885eee733f6a13e5df33ce4b33c45dee44bceeb8f646f4c55001706275e85e800587c4df568d094393e4834afd0805046cf30f57686aeece11cfc6c316b8a896edffd07ec813636460c4f3b743423163e6409a9c282fac8d469d221e7fbd6de5d",
        section: Some(32),
        ..E
    },
    Example {
        source: "R 1323565.1.017-2018 A.3.1",
        algorithm: "magma-omac-acpkm",
        key: "8899aabbccddeeff0011223344556677fedcba98765432100123456789abcdef",
        msg: "1122334455667700ffeeddcc",
        tag: "a0540e3730acbcf3",
        section: Some(16),
        period: Some(80),
        ..E
    },
    Example {
        source: "R 1323565.1.017-2018 A.3.2",
        algorithm: "magma-omac-acpkm",
        key: "8899aabbccddeeff0011223344556677fedcba98765432100123456789abcdef",
        msg: "1122334455667700ffeeddccbbaa998800112233445566778899aabbcceeff0a1122334455667788",
        tag: "34008dad5496bb8e",
        section: Some(16),
        period: Some(80),
        ..E
    },
    Example {
        source: "R 1323565.1.017-2018 A.4.1",
        algorithm: "kuznyechik-omac-acpkm",
        key: "8899aabbccddeeff0011223344556677fedcba98765432100123456789abcdef",
        msg: "1122334455667700ffeeddccbbaa99880011223344556677",
        tag: "b5367f47b62b995eeb2a648c5843145e",
        section: Some(32),
        period: Some(96),
        ..E
    },
    Example {
        source: "R 1323565.1.017-2018 A.4.2",
        algorithm: "kuznyechik-omac-acpkm",
        key: "8899aabbccddeeff0011223344556677fedcba98765432100123456789abcdef",
        msg: "1122334455667700ffeeddccbbaa998800112233445566778899aabbcceeff0a112233445566778899aabbcceeff0a002233445566778899aabbcceeff0a001133445566778899aabbcceeff0a001122",
        tag: "fbb8dcee45bea67c35f58c5700898e5d",
        section: Some(32),
        period: Some(96),
        ..E
    },
    Example {
        source: "RFC 9058 A.1.1",
        algorithm: "kuznyechik-mgm",
        key: "8899aabbccddeeff0011223344556677fedcba98765432100123456789abcdef",
        iv: "1122334455667700ffeeddccbbaa9988",
        aad: "0202020202020202010101010101010104040404040404040303030303030303ea0505050505050505",
        msg: "1122334455667700ffeeddccbbaa998800112233445566778899aabbcceeff0a112233445566778899aabbcceeff0a002233445566778899aabbcceeff0a0011aabbcc",
        ct: "a9757b8147956e9055b8a33de89f42fc8075d2212bf9fd5bd3f7069aadc16b39497ab15915a6ba85936b5d0ea9f6851cc60c14d4d3f883d0ab94420695c76deb2c7552",
        tag: "cf5d656f40c34f5c46e8bb0e29fcdb4c",
        ..E
    },
    Example {
        source: "RFC 9058 A.1.2",
        algorithm: "kuznyechik-mgm",
        key: "99aabbccddeeff0011223344556677fedcba98765432100123456789abcdef88",
        iv: "1122334455667700ffeeddccbbaa9988",
        aad: "01010101010101010101010101010101",
        tag: "7901e9ea2085cd247ed249695f9f8a85",
        ..E
    },
    Example {
        source: "RFC 9058 A.2.1",
        algorithm: "magma-mgm",
        key: "ffeeddccbbaa99887766554433221100f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff",
        iv: "12def06b3c130a59",
        aad: "01010101010101010202020202020202030303030303030304040404040404040505050505050505ea",
        msg: "ffeeddccbbaa998811223344556677008899aabbcceeff0a001122334455667799aabbcceeff0a001122334455667788aabbcceeff0a00112233445566778899aabbcc",
        ct: "c795066c5f9ea03b85113342459185ae1f2e00d6bf2b785d940470b8bb9c8e7d9a5dd3731f7ddc70ec27cb0ace6fa57670f65c646abb75d547aa37c3bcb5c34e03bb9c",
        tag: "a7928069aa10fd10",
        ..E
    },
    Example {
        source: "RFC 9058 A.2.2",
        algorithm: "magma-mgm",
        key: "99aabbccddeeff0011223344556677fedcba98765432100123456789abcdef88",
        iv: "0077665544332211",
        msg: "22334455667700ff",
        ct: "6a95e1426b259d4e",
        tag: "334ee270450bec9e",
        ..E
    },
];
