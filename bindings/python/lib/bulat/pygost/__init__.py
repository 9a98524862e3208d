"""The names of the package pygost, for the symmetric part: programs written for it run on bulat by another import.

    from bulat.pygost.gost3412 import GOST3412Kuznechik     # instead of: from pygost.gost3412 import ...
    from bulat.pygost.gost3413 import ctr

Modules, names, arguments and results are pygost's; `bulat` computes the results. For new programs use `bulat` itself: it
accepts any buffer, and streams.

Differences from pygost:

- The `encrypter` of a mode must be the method of an object of `bulat.pygost.gost3412`.
- `gost28147_mac` of 1 to 8 bytes is CryptoPro's, which appends a block of zeros; pygost appends none.
- `gost28147.cnt`, `wrap.wrap_cryptopro` and CBC with meshing follow the standards where pygost does not.
- There are no signatures (`gost3410`, VKO, X.509), and no inner steps: `gost28147.xcrypt` (over words of a key in any order),
  `gost3412.S`, `R`, `L`, `C`, the round keys `ks`, and `gost3413._mac_ks`. These return intermediate values of a key, and
  no call of bulat does.
- An object of a cipher holds its key, as in pygost: `vars()` and `pickle` show it.
"""
