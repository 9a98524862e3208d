"""The names of the package pygost, for the symmetric part: programs written for it run on bulat by another import.

    from bulat.pygost.gost3412 import GOST3412Kuznechik     # instead of: from pygost.gost3412 import ...
    from bulat.pygost.gost3413 import ctr

This is a shape, not a copy: modules, names, arguments and results are pygost's, what computes them is `bulat`. For new
programs `bulat` itself is the better choice: it takes any buffer, and streams.

What differs from pygost:

- A mode takes an `encrypter` that is the method of an object of `bulat.pygost.gost3412`, and no other function.
- `gost28147_mac` of 1 to 8 bytes is CryptoPro's, which appends a block of zeros; pygost appends none.
- `gost28147.cnt`, `wrap.wrap_cryptopro` and CBC with meshing follow the standards where pygost does not.
- Signatures (`gost3410`, VKO, X.509) are not here, nor are the inner steps that pygost shows: `gost28147.xcrypt` (over
  words of a key in any order), `gost3412.S`, `R`, `L`, `C`, the round keys `ks`, and `gost3413._mac_ks`. They would give
  intermediate values of a key, and bulat has no call that does.
- An object of a cipher holds its key, as pygost's does: `vars()` and `pickle` show it.
"""
