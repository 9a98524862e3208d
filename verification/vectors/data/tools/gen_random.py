"""random + edge vectors.  usage: gen_random.py OUTDIR SEED [full|lite]"""
from common import *
OUT, SEED = sys.argv[1], sys.argv[2]
LITE = len(sys.argv) > 3 and sys.argv[3] == 'lite'
def R(label): return Rng(SEED + '/' + label)
GENSRC = ['generated: tools/gen_random.py with ref/gostref.py (Python reference written from the standards), SHAKE256-based deterministic inputs']
CIPH = {'kuznyechik': Kuznyechik, 'magma': Magma}
ALLSB = ['id-Gost28147-89-TestParamSet','id-Gost28147-89-CryptoPro-A-ParamSet','id-Gost28147-89-CryptoPro-B-ParamSet',
         'id-Gost28147-89-CryptoPro-C-ParamSet','id-Gost28147-89-CryptoPro-D-ParamSet','id-tc26-gost-28147-param-Z']
STREAM_LENS = [0,1,2,3,5,7,8,9,11,15,16,17,23,24,25,31,32,33,47,48,49,63,64,65,79,95,96,97,111,112,127,128,129,
               143,159,160,175,191,192,193,207,223,239,240,255,256,257,272,288,319,320,321,383,384,385,447,448,
               511,512,513,527,544,575,640,767,768,769,895,1000]
_lr = R('lengths'); STREAM_LENS += [_lr.range(0, 1000) for _ in range(12)]      # seed dependent lengths
LONG_LENS = [1536, 2047, 4096, 4100, 8191, 16384, 65536, 100003, 262144 + 13, 1048576]
MANY_LONG = LONG_LENS
API = {'KeyLength':'key is not 32 octets: must be rejected by the API','IvLength':'IV/nonce length not allowed by the mode: must be rejected by the API',
       'NotMultipleOfBlock':'message is not a multiple of the block: must be rejected (no implicit padding)'}

def edge_keys():
    return [bytes(32), b'\xff'*32, b'\x80'+bytes(31), bytes(31)+b'\x01', bytes(range(32)), bytes(range(255,223,-1)), b'\x00'*16+b'\xff'*16, b'\xaa\x55'*16]

# ------------------------------------------------------------ block ciphers
def gen_blocks():
    for nm, C in CIPH.items():
        n = C.block; r = R('volumes/' + nm)
        f = KatFile(f'{nm}_block_random.json', nm.upper(), 'BLOCK', f'{nm}: single block encryption, random and structured keys/blocks', GENSRC,
                    {'Iterated':'ct = E_K applied `iterations` times to pt', 'EdgeKey':'structured key', 'EdgeBlock':'structured block', 'KeyLength':API['KeyLength'],
                     'KeyChain':'Monte-Carlo: repeat `rounds` times { 1000 encryptions of the running block; key ^= last block repeated to 32 octets }'})
        for k in edge_keys():
            c = C(k)
            for p in (bytes(n), b'\xff'*n, b'\x01'+bytes(n-1), bytes(n-1)+b'\x01', bytes(range(n))):
                f.add(flags=['EdgeKey'], key=k, pt=p, ct=c.enc(p)); assert c.dec(c.enc(p)) == p
        k = r.bytes(32); c = C(k)
        for i in range(0, 8*n, 1 if not LITE else 3):
            p = (1 << i).to_bytes(n,'big'); f.add(flags=['EdgeBlock'], comment=f'single bit {i}', key=k, pt=p, ct=c.enc(p))
        for i in range(0, 256, 3):
            kk = (1 << i).to_bytes(32,'big'); p = bytes(n); f.add(flags=['EdgeKey'], comment=f'key single bit {i}', key=kk, pt=p, ct=C(kk).enc(p))
        for i in range(200):
            k, p = r.bytes(32), r.bytes(n); c = C(k); ct = c.enc(p); assert c.dec(ct) == p
            f.add(key=k, pt=p, ct=ct)
        for it in (10, 1000, 100000):
            k, p = r.bytes(32), r.bytes(n); c = C(k); x = p
            for _ in range(it): x = c.enc(x)
            f.add(flags=['Iterated'], key=k, pt=p, ct=x, iterations=it)
        k, p = r.bytes(32), r.bytes(n); kk, x = k, p
        for _ in range(50):
            c = C(kk)
            for _ in range(1000): x = c.enc(x)
            kk = bxor(kk, (x * 4)[:32])
        f.add(flags=['KeyChain'], key=k, pt=p, ct=x, rounds=50)
        for L in (0, 16, 31, 33, 64): f.add('invalid', 'bad key length', ['KeyLength'], key=r.bytes(L), pt=r.bytes(n))
        f.save(OUT)
    r = R('block/28147')
    f = KatFile('gost28147_block_random.json','GOST28147-89','BLOCK','GOST 28147-89 single block (ECB of one block), all parameter sets', GENSRC,
                {'Iterated':'ct = E_K applied `iterations` times to pt','Mesh':'CryptoPro key meshing: key_next = D_K(C) (RFC 4357 2.3.2); iv_next = E_key_next(iv)','KeyLength':API['KeyLength'],'EdgeKey':'structured key'})
    for sb in ALLSB + ['id-GostR3411-94-TestParamSet','id-GostR3411-94-CryptoProParamSet']:
        for k in edge_keys()[:4]:
            p = bytes(8); f.add(flags=['EdgeKey'], sbox=sb, key=k, pt=p, ct=Gost28147(k,sb).enc(p))
        for i in range(24 if not LITE else 12):
            k, p = r.bytes(32), r.bytes(8); c = Gost28147(k, sb); ct = c.enc(p); assert c.dec(ct) == p
            f.add(sbox=sb, key=k, pt=p, ct=ct)
        k, p = r.bytes(32), r.bytes(8); c = Gost28147(k, sb); x = p
        for _ in range(1000): x = c.enc(x)
        f.add(flags=['Iterated'], sbox=sb, key=k, pt=p, ct=x, iterations=1000)
        for i in range(3):
            k, iv = r.bytes(32), r.bytes(8); c = Gost28147(k, sb); c2, iv2 = mesh(c, iv)
            f.add(flags=['Mesh'], sbox=sb, key=k, iv=iv, key_next=ecb_dec(c, MESH_C), iv_next=iv2)
    for L in (0, 31, 33): f.add('invalid','bad key length',['KeyLength'],sbox=ALLSB[0],key=r.bytes(L),pt=r.bytes(8))
    f.save(OUT)

# ------------------------------------------------------------ GOST R 34.13
def gen_3413():
    for nm, C in CIPH.items():
        n = C.block; U = nm.upper(); lens = STREAM_LENS if not LITE else STREAM_LENS[::2] + [1000]
        # ECB
        r = R(f'{nm}/ecb'); f = KatFile(f'{nm}_ecb_random.json', U, 'ECB', f'{nm} ECB', GENSRC, API)
        for q in list(range(0, 37)) + [48, 63, 64, 65]:
            k = r.bytes(32); m = r.bytes(q*n); f.add(key=k, msg=m, ct=ecb_enc(C(k), m))
        for L in [4096, 65536, 1048576]:
            k = r.bytes(32); d, m = put_msg(r, L); f.add(key=k, **d, **put_out('ct', ecb_enc(C(k), m)))
        for L in (1, n-1, n+1, 3*n-1): f.add('invalid', flags=['NotMultipleOfBlock'], key=r.bytes(32), msg=r.bytes(L))
        f.save(OUT)
        # CTR
        r = R(f'{nm}/ctr'); f = KatFile(f'{nm}_ctr_random.json', U, 'CTR', f'{nm} CTR (GOST R 34.13-2015 5.2): iv is n/2 octets, CTR_1 = iv || 0^(n/2)', GENSRC,
            dict(API, ShortGamma='s < n: only the first s octets (MSB_s) of every encrypted counter block are used as gamma'))
        for L in lens:
            k, iv = r.bytes(32), r.bytes(n//2); m = r.bytes(L); f.add(key=k, iv=iv, s=n, msg=m, ct=ctr(C(k), iv, m))
        for s in ([1,2,4,8,12,15] if n == 16 else [1,2,4,7]):
            for L in (1, s, n, 3*n+1, 100):
                k, iv = r.bytes(32), r.bytes(n//2); m = r.bytes(L); f.add(flags=['ShortGamma'], key=k, iv=iv, s=s, msg=m, ct=ctr(C(k), iv, m, s))
        for iv in (bytes(n//2), b'\xff'*(n//2)):
            k = r.bytes(32); m = r.bytes(200); f.add(key=k, iv=iv, s=n, msg=m, ct=ctr(C(k), iv, m))
        for L in MANY_LONG:
            k, iv = r.bytes(32), r.bytes(n//2); d, m = put_msg(r, L); f.add(key=k, iv=iv, s=n, **d, **put_out('ct', ctr(C(k), iv, m)))
        for L in (0, n//2-1, n//2+1, n+1): f.add('invalid', flags=['IvLength'], key=r.bytes(32), iv=r.bytes(L), s=n, msg=r.bytes(n))
        f.save(OUT)
        # CTR from a full counter block
        r = R(f'{nm}/ctrfull'); f = KatFile(f'{nm}_ctr_fullblock_random.json', U, 'CTR-FULLBLOCK', f'{nm} CTR started from an arbitrary full counter block (seek / carry tests)', GENSRC,
            {'Carry':'counter is one n-octet big endian integer, increment mod 2^(8n) (GOST R 34.13-2015 Add): carries out of low octets / 32-bit / 64-bit lanes, and the final wrap'})
        M = 1 << (8*n)
        starts = [M-1, M-2, M-3, M-17, 0]
        for b in (8, 16, 24, 31, 32, 33, 40, 48, 56, 63, 64, 65, 72, 96, 112, 120, 127):
            if b < 8*n:
                for d in (1, 2, 5, 9): starts.append(((int.from_bytes(r.bytes(n),'big') >> b) << b | ((1 << b) - d)) % M)
        for st in starts:
            k = r.bytes(32); m = r.bytes(r.choice([40*n, 20*n, 17*n+3, 9*n])); f.add(flags=['Carry'], key=k, ctr=st.to_bytes(n,'big'), msg=m, ct=ctr_full(C(k), st.to_bytes(n,'big'), m))
        f.save(OUT)
        # OFB / CFB / CBC
        r = R(f'{nm}/ofb'); f = KatFile(f'{nm}_ofb_random.json', U, 'OFB', f'{nm} OFB (GOST R 34.13-2015 5.3): register of m = z*n bits (iv length), shifted by n, gamma T_s', GENSRC,
            dict(API, LongIv='m > n: iv is z blocks, z > 1', ShortGamma='s < n'))
        for i, L in enumerate(lens):
            z = [1,2,3,4,1][i % 5]; k, iv = r.bytes(32), r.bytes(z*n); m = r.bytes(L); f.add(flags=['LongIv'] if z > 1 else [], key=k, iv=iv, s=n, msg=m, ct=ofb(C(k), iv, m))
        for s in (1, n//2, n-1):
            for z in (1, 2):
                k, iv = r.bytes(32), r.bytes(z*n); m = r.bytes(70); f.add(flags=['ShortGamma'] + (['LongIv'] if z > 1 else []), key=k, iv=iv, s=s, msg=m, ct=ofb(C(k), iv, m, s))
        for L in (4096, 65536+1):
            k, iv = r.bytes(32), r.bytes(n); d, m = put_msg(r, L); f.add(key=k, iv=iv, s=n, **d, **put_out('ct', ofb(C(k), iv, m)))
        for L in (0, n-1, n+1): f.add('invalid', flags=['IvLength'], key=r.bytes(32), iv=r.bytes(L), s=n, msg=r.bytes(n))
        f.save(OUT)
        r = R(f'{nm}/cfb'); f = KatFile(f'{nm}_cfb_random.json', U, 'CFB', f'{nm} CFB (GOST R 34.13-2015 5.5): register of m >= n bits (iv length), shifted by s', GENSRC,
            dict(API, LongIv='m > n', OddIv='m not a multiple of n (allowed for CFB)', ShortGamma='s < n'))
        for i, L in enumerate(lens):
            z = [1,2,3,1,4][i % 5]; k, iv = r.bytes(32), r.bytes(z*n); m = r.bytes(L); f.add(flags=['LongIv'] if z > 1 else [], key=k, iv=iv, s=n, msg=m, ct=cfb_enc(C(k), iv, m))
        for s in (1, n//2, n-1):
            for mm in (n, 2*n, n + n//2):
                k, iv = r.bytes(32), r.bytes(mm); m = r.bytes(70)
                f.add(flags=['ShortGamma'] + (['LongIv'] if mm > n else []) + (['OddIv'] if mm % n else []), key=k, iv=iv, s=s, msg=m, ct=cfb_enc(C(k), iv, m, s))
                assert cfb_dec(C(k), iv, cfb_enc(C(k), iv, m, s), s) == m
        for L in (4096, 65536+1):
            k, iv = r.bytes(32), r.bytes(n); d, m = put_msg(r, L); f.add(key=k, iv=iv, s=n, **d, **put_out('ct', cfb_enc(C(k), iv, m)))
        for L in (0, n-1): f.add('invalid', flags=['IvLength'], key=r.bytes(32), iv=r.bytes(L), s=n, msg=r.bytes(n))
        f.save(OUT)
        r = R(f'{nm}/cbc'); f = KatFile(f'{nm}_cbc_random.json', U, 'CBC', f'{nm} CBC (GOST R 34.13-2015 5.4): register of m = z*n bits (iv length); no padding', GENSRC, dict(API, LongIv='m > n: z interleaved chains'))
        for q in list(range(0, 34)) + [40, 63, 64]:
            z = [1,2,3,1,4][q % 5]; k, iv = r.bytes(32), r.bytes(z*n); m = r.bytes(q*n); c = cbc_enc(C(k), iv, m); assert cbc_dec(C(k), iv, c) == m
            f.add(flags=['LongIv'] if z > 1 else [], key=k, iv=iv, msg=m, ct=c)
        for L in (4096, 65536):
            k, iv = r.bytes(32), r.bytes(n); d, m = put_msg(r, L); f.add(key=k, iv=iv, **d, **put_out('ct', cbc_enc(C(k), iv, m)))
        for L in (0, n-1, n+1): f.add('invalid', flags=['IvLength'], key=r.bytes(32), iv=r.bytes(L), msg=r.bytes(n))
        for L in (1, n-1, n+1): f.add('invalid', flags=['NotMultipleOfBlock'], key=r.bytes(32), iv=r.bytes(n), msg=r.bytes(L))
        f.save(OUT)
        # MAC
        r = R(f'{nm}/mac'); f = KatFile(f'{nm}_omac_random.json', U, 'MAC', f'{nm} MAC (OMAC1/CMAC, GOST R 34.13-2015 5.6), tag = first tagLen octets', GENSRC,
            {'SubkeyMsb':'key chosen so that MSB(E_K(0)) / MSB(K1) take a given pair of values (see comment)','ModifiedTag':'must fail verification','TruncatedTag':'tag shorter than tagLen: must fail verification','EmptyMessage':'empty message is padded (procedure 3) and uses K2','KeyLength':API['KeyLength']})
        for L in lens:
            k = r.bytes(32); m = r.bytes(L); f.add(flags=['EmptyMessage'] if not L else [], key=k, msg=m, tagLen=n, tag=omac(C(k), m))
        for tl in range(1, n):
            k = r.bytes(32); m = r.bytes(r.below(90)); f.add(key=k, msg=m, tagLen=tl, tag=omac(C(k), m, tl))
        want = [(a, b) for a in (0, 1) for b in (0, 1)]
        for a, b in want:
            for L in (0, n//2, n, 2*n, 2*n+1):
                while True:
                    k = r.bytes(32); R0, k1, k2 = omac_subkeys(C(k))
                    if (R0[0] >> 7, k1[0] >> 7) == (a, b): break
                m = r.bytes(L); f.add(flags=['SubkeyMsb'] + (['EmptyMessage'] if not L else []), comment=f'MSB(R)={a} MSB(K1)={b}', key=k, msg=m, tagLen=n, tag=omac(C(k), m))
        for L in (4096, 16384, 65537, 1048576):
            k = r.bytes(32); d, m = put_msg(r, L); f.add(key=k, **d, tagLen=n, tag=omac(C(k), m))
        for L in (0, 5, n, 40):
            k = r.bytes(32); m = r.bytes(L); t = bytearray(omac(C(k), m)); t[r.below(n)] ^= 1 << r.below(8)
            f.add('invalid', flags=['ModifiedTag'], key=k, msg=m, tagLen=n, tag=bytes(t))
        k = r.bytes(32); m = r.bytes(33); t = omac(C(k), m)
        for cut in (0, 1, n//2, n-1): f.add('invalid', flags=['TruncatedTag'], key=k, msg=m, tagLen=n, tag=t[:cut])
        f.save(OUT)

# ------------------------------------------------------------ ACPKM
def gen_acpkm():
    for nm, C in CIPH.items():
        n = C.block; U = nm.upper(); r = R(f'{nm}/ctracpkm')
        f = KatFile(f'{nm}_ctr_acpkm_random.json', U, 'CTR-ACPKM', f'{nm} CTR-ACPKM (RFC 8645 6.2.2, R 1323565.1.017-2018 4.1); sectionSize N in octets', GENSRC,
            {'Boundary':'message length around a section boundary','TlsSection':'section size of the RFC 9189 TLS suites (Magma 1 KiB, Kuznyechik 4 KiB)','CmsSection':'section size used by CMS/R 1323565.1.025-2019 in gost-engine (Magma 8 KiB, Kuznyechik 256 KiB)','ShortGamma':'s < n','IvLength':API['IvLength'],'SectionSize':'section size not a multiple of the block: must be rejected'})
        for N in (n, 2*n, 3*n, 4*n, 8*n, 128, 256):
            for L in sorted({0, 1, n-1, N-1, N, N+1, 2*N-1, 2*N, 2*N+1, 3*N+n//2, min(5*N, 1000)}):
                k, iv = r.bytes(32), r.bytes(n//2); m = r.bytes(L); f.add(flags=['Boundary'] if L % N in (0,1,N-1) else [], key=k, iv=iv, sectionSize=N, s=n, msg=m, ct=ctr_acpkm(C, k, iv, m, N))
        tl = 1024 if n == 8 else 4096; cms = 8192 if n == 8 else 262144
        for N, fl, Ls in ((tl, 'TlsSection', (0, 1, 500, tl-1, tl, tl+1, 2*tl+7, 4*tl, 65536, 1048576)), (cms, 'CmsSection', (1000, cms-1, cms, cms+1, 3*cms+5))):
            for L in Ls:
                k, iv = r.bytes(32), r.bytes(n//2); d, m = put_msg(r, L); f.add(flags=[fl], key=k, iv=iv, sectionSize=N, s=n, **d, **put_out('ct', ctr_acpkm(C, k, iv, m, N)))
        for s in (n//2, n//4):
            for N in (2*n, 4*n):
                k, iv = r.bytes(32), r.bytes(n//2); m = r.bytes(6*n+3); f.add(flags=['ShortGamma'], key=k, iv=iv, sectionSize=N, s=s, msg=m, ct=ctr_acpkm(C, k, iv, m, N, s))
        for L in (0, n//2-1, n//2+1): f.add('invalid', flags=['IvLength'], key=r.bytes(32), iv=r.bytes(L), sectionSize=4*n, s=n, msg=r.bytes(n))
        for N in (0, 1, n-1, n+1): f.add('invalid', flags=['SectionSize'], key=r.bytes(32), iv=r.bytes(n//2), sectionSize=N, s=n, msg=r.bytes(4*n))
        f.save(OUT)
        r = R(f'{nm}/acpkmkey'); f = KatFile(f'{nm}_acpkm_key_random.json', U, 'ACPKM', f'{nm} ACPKM key transformation chain and ACPKM-Master key material', GENSRC,
            {'Acpkm':'key_next[i] = ACPKM(key_next[i-1])','AcpkmMaster':'material = ACPKM-Master(key, T*, l) = CTR-ACPKM(key, T*, 1^(n/2), 0^(l*(k+n))); masterPeriod T* in octets'})
        for i in range(8):
            k = r.bytes(32) if i else bytes(32); kk = k; ch = []
            for _ in range(4): kk = acpkm_next(C, kk); ch.append(kk.hex())
            f.add(flags=['Acpkm'], key=k, key_next=ch)
        for T in (32+n, 2*(32+n), 5*(32+n), 32*(32+n)):
            for l in (1, 2, 3, 7):
                k = r.bytes(32); f.add(flags=['AcpkmMaster'], key=k, masterPeriod=T, sections=l, material=acpkm_master(C, k, T, l))
        f.save(OUT)
        r = R(f'{nm}/omacacpkm'); f = KatFile(f'{nm}_omac_acpkm_random.json', U, 'OMAC-ACPKM', f'{nm} OMAC-ACPKM (RFC 8645 6.3.6, R 1323565.1.017-2018 4.2); sectionSize N, masterPeriod T* in octets', GENSRC,
            {'Boundary':'length around a section boundary','EmptyMessage':'l = 0 sections in the formula; here (as in gost-engine) one key pair is derived and the empty block is padded. Not covered by the standard examples'})
        for N in (n, 2*n, 4*n, 64):
            for mult in (1, 2, 3, 8):
                T = mult*(32+n)
                for L in sorted({1, n-1, n, n+1, N-1, N, N+1, 2*N, 2*N+1, 5*N-1, min(9*N, 600)} - {0}):
                    if LITE and r.below(2): continue
                    k = r.bytes(32); m = r.bytes(L); f.add(flags=['Boundary'] if L % N in (0,1,N-1) else [], key=k, sectionSize=N, masterPeriod=T, msg=m, tagLen=n, tag=omac_acpkm(C, k, m, N, T))
        for N, T, L in ((1024, 8*(32+n), 20000), (4096, 3*(32+n), 65537), (4096, 96 if n == 16 else 80, 200000)):
            T = T if T % (32+n) == 0 else 2*(32+n)
            k = r.bytes(32); d, m = put_msg(r, L); f.add(key=k, sectionSize=N, masterPeriod=T, **d, tagLen=n, tag=omac_acpkm(C, k, m, N, T))
        k = r.bytes(32); f.add('acceptable', flags=['EmptyMessage'], key=k, sectionSize=2*n, masterPeriod=2*(32+n), msg=b'', tagLen=n, tag=omac_acpkm(C, k, b'', 2*n, 2*(32+n)))
        f.save(OUT)

# ------------------------------------------------------------ MGM
MGM_NOTES = {'CounterWrap':'ICN chosen (by decryption) so that the right half of Y_1 is close to 2^(n/2): incr_r must wrap inside its half',
 'HashCounterWrap':'ICN chosen so that the left half of Z_1 is close to 2^(n/2): incr_l must wrap inside its half',
 'AadOnly':'empty plaintext','NoAad':'empty associated data','TagLen':'tag truncated by the protocol to tagLen octets (MSB_S)',
 'ModifiedTag':'must fail','ModifiedCt':'must fail','ModifiedAad':'must fail','ModifiedNonce':'must fail','TruncatedTag':'tag shorter than tagLen: must fail','ShiftedAad':'octets moved between AAD and ciphertext: must fail',
 'NonceMsbSet':'RFC 9058: ICN is n-1 bits. First bit 1 must be rejected by a raw MGM API. The tag here is the one obtained by silently clearing the bit (what gost-engine and the RFC 9367 TLS wrapper do before calling MGM), so acceptance means that two different API nonces give the same keystream',
 'NonceLength':'nonce is not n octets: must be rejected','EmptyAll':'RFC 9058 4.1/6: |A|+|P| > 0 is mandatory; tag of empty input does not depend on the nonce. Must be rejected',
 'ExtraTag':'tag longer than tagLen: must fail'}
def mgm_icn_for(c, target_block, rng, msb, free):
    """find ICN such that E(msb||ICN) has the wanted half; free(): random full block containing the target half"""
    while True:
        b = free(); x = c.dec(b)
        if x[0] >> 7 == msb: return bytes([x[0] & 0x7f]) + x[1:], b
def gen_mgm():
    for nm, C in CIPH.items():
        n = C.block; h = n//2; U = nm.upper(); r = R(f'{nm}/mgm')
        f = KatFile(f'{nm}_mgm_random.json', U, 'MGM', f'{nm} MGM AEAD (RFC 9058, R 1323565.1.026-2019)', GENSRC, MGM_NOTES)
        def nonce(): b = bytearray(r.bytes(n)); b[0] &= 0x7f; return bytes(b)
        def add(k, icn, a, m, tl=n, fl=(), comment=''):
            ct, t = mgm_encrypt(C(k), icn, a, m, tl)
            fl = list(fl) + (['AadOnly'] if not m else []) + (['NoAad'] if not a else []) + (['TagLen'] if tl != n else [])
            return f.add(flags=fl, comment=comment, key=k, iv=icn, aad=a, msg=m, ct=ct, tagLen=tl, tag=t)
        Ls = [0,1,n-1,n,n+1,2*n,3*n-1,4*n,5*n+3]
        for la in Ls:
            for lm in Ls:
                if la + lm == 0 or (LITE and r.below(3) == 0): continue
                add(r.bytes(32), nonce(), r.bytes(la), r.bytes(lm))
        for L in (127,128,129,200,255,256,257,383,511,512,513,640,767,1000):
            add(r.bytes(32), nonce(), r.bytes(r.below(60)), r.bytes(L))
            if not LITE: add(r.bytes(32), nonce(), r.bytes(L), r.bytes(r.below(60)))
        for tl in range(4, n):
            add(r.bytes(32), nonce(), r.bytes(r.below(40)), r.bytes(1 + r.below(40)), tl)
        for icn in (bytes(n), b'\x7f' + b'\xff'*(n-1), bytes(n-1) + b'\x01'):
            add(r.bytes(32), icn, r.bytes(20), r.bytes(50))
        for k in edge_keys()[:4]: add(k, nonce(), r.bytes(13), r.bytes(77))
        # counter wraps
        M = 1 << 8*h
        for d in (1, 2, 3, 4, 7, 8, 9, 15, 16, 17):
            for bits in (8*h, 32, 16, 8):
                if bits > 8*h or (bits != 8*h and d not in (1, 5, 9, 16)): continue
                k = r.bytes(32); c = C(k)
                def free_r():
                    hi = int.from_bytes(r.bytes(h),'big'); lo = ((hi >> bits) << bits | ((1 << bits) - d)) % M
                    return r.bytes(h) + lo.to_bytes(h,'big')
                icn, y = mgm_icn_for(c, None, r, 0, free_r)
                add(k, icn, r.bytes(r.below(20)), r.bytes(20*n + r.below(n)), fl=['CounterWrap'], comment=f'Y_1={y.hex()}')
                def free_l():
                    hi = int.from_bytes(r.bytes(h),'big'); lo = ((hi >> bits) << bits | ((1 << bits) - d)) % M
                    return lo.to_bytes(h,'big') + r.bytes(h)
                icn, z = mgm_icn_for(c, None, r, 1, free_l)
                add(k, icn, r.bytes(5*n + r.below(n)), r.bytes(15*n + r.below(n)), fl=['HashCounterWrap'], comment=f'Z_1={z.hex()}')
        # H = 0 / all ones blocks: choose ICN such that Z_1 decrypts from E^-1(special)
        for spec in (bytes(n), b'\xff'*n, b'\x80'+bytes(n-1), bytes(n-1)+b'\x01'):
            for tries in range(200):
                k = r.bytes(32); c = C(k); z = c.dec(spec); x = c.dec(z)     # H_1 = E(Z_1) = spec
                if x[0] >> 7 == 1: break
            icn = bytes([x[0] & 0x7f]) + x[1:]
            add(k, icn, r.bytes(2*n), r.bytes(3*n), comment=f'H_1={spec.hex()}')
        for la, lm in ((100, 4096), (4096, 3), (17, 16384+5), (0, 65536), (70000, 0), (13, 262144+1), (31, 1048576)):
            k, icn, a = r.bytes(32), nonce(), None
            da = {}; 
            if la <= MAXHEX: a = r.bytes(la); da = dict(aad=a)
            else:
                sd = r.bytes(16); a = shake_msg(sd, la); da = dict(aad_gen=dict(alg='SHAKE128', seed=sd.hex(), len=la))
            d, m = put_msg(r, lm); ct, t = mgm_encrypt(C(k), icn, a, m)
            f.add(flags=(['AadOnly'] if not lm else []) + (['NoAad'] if not la else []), key=k, iv=icn, **da, **d, **put_out('ct', ct), tagLen=n, tag=t)
        # invalid
        def inv(flag, k, icn, a, ct, t, tl=n, comment=''): f.add('invalid', comment, [flag], key=k, iv=icn, aad=a, ct=ct, tagLen=tl, tag=t)
        for la, lm in ((0, 1), (5, 0), (n, n), (3*n+1, 2*n+3)):
            k, icn, a, m = r.bytes(32), nonce(), r.bytes(la), r.bytes(lm); ct, t = mgm_encrypt(C(k), icn, a, m)
            for bit in (0, 7, 8*n//2, 8*n-1):
                tt = bytearray(t); tt[bit // 8] ^= 0x80 >> (bit % 8); inv('ModifiedTag', k, icn, a, ct, bytes(tt), comment=f'bit {bit} flipped')
            inv('ModifiedTag', k, icn, a, ct, bytes(n), comment='all-zero tag'); inv('ModifiedTag', k, icn, a, ct, b'\xff'*n, comment='all-one tag'); inv('ModifiedTag', k, icn, a, ct, bytes(x ^ 0xff for x in t), comment='complemented tag')
            for cut in (0, 1, 4, n//2, n-1): inv('TruncatedTag', k, icn, a, ct, t[:cut], comment=f'{cut} of {n} octets')
            inv('ExtraTag', k, icn, a, ct, t + b'\x00')
            if lm:
                cc = bytearray(ct); cc[r.below(lm)] ^= 1 << r.below(8); inv('ModifiedCt', k, icn, a, bytes(cc), t); inv('ModifiedCt', k, icn, a, ct[:-1], t, comment='ciphertext shortened'); inv('ModifiedCt', k, icn, a, ct + b'\x00', t, comment='zero octet appended (same zero padded block, other length)')
            if la:
                aa = bytearray(a); aa[r.below(la)] ^= 1 << r.below(8); inv('ModifiedAad', k, icn, bytes(aa), ct, t); inv('ModifiedAad', k, icn, a[:-1], ct, t); inv('ModifiedAad', k, icn, a + b'\x00', ct, t, comment='zero octet appended')
            ii = bytearray(icn); ii[n-1] ^= 1; inv('ModifiedNonce', k, bytes(ii), a, ct, t)
            if la and lm: inv('ShiftedAad', k, icn, a + ct[:1], ct[1:], t); inv('ShiftedAad', k, icn, a[:-1], a[-1:] + ct, t)
            inv('NonceMsbSet', k, bytes([icn[0] | 0x80]) + icn[1:], a, ct, t)
            inv('NonceLength', k, icn[:-1], a, ct, t); inv('NonceLength', k, icn + b'\x00', a, ct, t); inv('NonceLength', k, b'', a, ct, t)
        k, icn = r.bytes(32), nonce(); _, t = mgm_encrypt(C(k), icn, b'', b''); inv('EmptyAll', k, icn, b'', b'', t)
        f.save(OUT)

# ------------------------------------------------------------ GOST 28147-89 modes
G_NOTES = dict(API, CbcMeshing='CBC with meshing beyond 1024 octets: the value follows the letter of RFC 4357 2.3.2 (new key and re-encrypted IV register, as crypto-gost-js); pygost replaces only the key, gost-engine does not mesh in CBC', Meshing='CryptoPro key meshing (RFC 4357 2.3.2): before octet 1024, 2048, ... the key and the IV/counter register are transformed',
   CounterWrap='IV chosen so that N3 wraps mod 2^32 and/or N4 wraps mod 2^32-1 (including N4 + C1 = 2^32-1 exactly, which stays 0xFFFFFFFF)',
   ShortMessage='1..8 octets: GOST 28147-89 requires at least two blocks, CryptoPro CSP, gost-engine, libgcrypt and nettle append a second zero block; pygost, gogost, BouncyCastle and libgcl do not (see altTag)',
   EmptyMessage='no block processed: tag is the first octets of the IV register')
def gen_28147():
    sbs = ALLSB
    lens_nomesh = [0,1,7,8,9,15,16,17,31,33,64,65,100,200,255,257,513,1000]
    lens_mesh = [8,100,1016,1023,1024,1025,1032,1040]
    long_mesh = [2047,2048,2049,3073,4096,10000,65536,1048576]
    for mode in ('cnt','cfb','cbc'):
        r = R(f'28147/{mode}')
        f = KatFile(f'gost28147_{mode}_random.json','GOST28147-89',mode.upper(), f'GOST 28147-89 {mode.upper()}, all parameter sets, without and with CryptoPro key meshing', GENSRC, dict(G_NOTES))
        fn = dict(cnt=gost_cnt, cfb=gost_cfb, cbc=gost_cbc)[mode]
        for sb in sbs:
            for L in lens_nomesh[:: (2 if LITE else 1)] :
                if mode == 'cbc': L = (L + 7)//8*8
                k, iv, m = r.bytes(32), r.bytes(8), r.bytes(L); f.add(sbox=sb, keyMeshing='none', key=k, iv=iv, msg=m, ct=fn(k, sb, iv, m, False))
            k, iv = r.bytes(32), r.bytes(8); d, m = put_msg(r, 4096); f.add(sbox=sb, keyMeshing='none', key=k, iv=iv, **d, **put_out('ct', fn(k, sb, iv, m, False)))
            if sb == sbs[0]: continue     # RFC 4357 11.1: the test parameter set has null meshing
            for L in (lens_mesh[::2] if LITE else lens_mesh) + [r.choice(long_mesh[:5]), r.choice([4096, 10000, 65536])] + ([1048576] if sb in (sbs[1], sbs[5]) else []):
                if mode == 'cbc': L = (L + 7)//8*8
                k, iv = r.bytes(32), r.bytes(8); d, m = put_msg(r, L); f.add('acceptable' if mode == 'cbc' and L > 1024 else 'valid', flags=['Meshing'] + (['CbcMeshing'] if mode == 'cbc' and L > 1024 else []), sbox=sb, keyMeshing='CryptoPro', key=k, iv=iv, **d, **put_out('ct', fn(k, sb, iv, m, True)))
        if mode == 'cnt':
            for sb in sbs:
                for n3, n4 in ((0xffffffff,0),(0xfefefefe,0xfefefefb),(0xfefefeff,0xfefefefa),(0xfefefefd,0xfefefefc),(0xffffffff,0xffffffff),(0xfdfdfdfd,0xfdfdfdf7),(0,0xffffffff),(0x12345678,0xfefefefb-0x01010104),(0, 0xfefefefb)):
                    k = r.bytes(32); c = Gost28147(k, sb); iv = c.dec(n3.to_bytes(4,'little') + n4.to_bytes(4,'little')); m = r.bytes(72)
                    f.add(flags=['CounterWrap'], comment=f'A(S): N3={n3:08x} N4={n4:08x}', sbox=sb, keyMeshing='none', key=k, iv=iv, msg=m, ct=gost_cnt(k, sb, iv, m, False))
            k, iv, m = r.bytes(32), r.bytes(8), b''
        for L in (0, 7, 9): f.add('invalid', flags=['IvLength'], sbox=sbs[1], keyMeshing='none', key=r.bytes(32), iv=r.bytes(L), msg=r.bytes(16))
        if mode == 'cbc':
            for L in (1, 9): f.add('invalid', flags=['NotMultipleOfBlock'], sbox=sbs[1], keyMeshing='none', key=r.bytes(32), iv=r.bytes(8), msg=r.bytes(L))
        f.save(OUT)
    r = R('28147/ecb'); f = KatFile('gost28147_ecb_random.json','GOST28147-89','ECB','GOST 28147-89 ECB, all parameter sets', GENSRC, API)
    for sb in sbs:
        for q in (0, 1, 2, 3, 4, 7, 8, 9, 16, 31, 32, 33, 64):
            k, m = r.bytes(32), r.bytes(8*q); f.add(sbox=sb, key=k, msg=m, ct=ecb_enc(Gost28147(k, sb), m))
        k = r.bytes(32); d, m = put_msg(r, 65536); f.add(sbox=sb, key=k, **d, **put_out('ct', ecb_enc(Gost28147(k, sb), m)))
    f.save(OUT)
    r = R('28147/imit'); f = KatFile('gost28147_imit_random.json','GOST28147-89','IMIT','GOST 28147-89 MAC (imitovstavka), all parameter sets; tagLen 4 is the usual one; iv is the initial value of the register (zero unless stated)', GENSRC,
        dict(G_NOTES, Iv='non-zero initial register (key wrap, RFC 9189 gost28147IMIT)', ModifiedTag='must fail verification'))
    for sb in sbs:
        for L in (0,1,4,7,8,9,12,16,17,24,31,32,33,63,64,100,255,512,1000)[:: (2 if LITE else 1)]:
            k, m = r.bytes(32), r.bytes(L); tl = r.choice([4,4,4,8])
            fl = ['EmptyMessage'] if L == 0 else ['ShortMessage'] if L <= 8 else []
            f.add(flags=fl, sbox=sb, keyMeshing='none', key=k, iv=bytes(8), msg=m, tagLen=tl, tag=gost_imit(k, sb, m, taglen=tl), altTag=gost_imit(k, sb, m, taglen=tl, min2=False) if 0 < L <= 8 else None)
        for L in (5, 8, 32, 32, 64, 77):
            k, iv, m = r.bytes(32), r.bytes(8), r.bytes(L); f.add(flags=['Iv'] + (['ShortMessage'] if L <= 8 else []), sbox=sb, keyMeshing='none', key=k, iv=iv, msg=m, tagLen=4, tag=gost_imit(k, sb, m, iv=iv), altTag=gost_imit(k, sb, m, iv=iv, min2=False) if L <= 8 else None)
        if sb == sbs[0]: continue         # null meshing
        for L in [1016, 1023, 1024, 1025, 1031, 1032, 1033, 2048, 2050, 4096, 65536]:
            k = r.bytes(32); d, m = put_msg(r, L); f.add(flags=['Meshing'], sbox=sb, keyMeshing='CryptoPro', key=k, iv=bytes(8), **d, tagLen=4, tag=gost_imit(k, sb, m, meshing=True))
    k, m = r.bytes(32), r.bytes(40); t = bytearray(gost_imit(k, sbs[1], m)); t[2] ^= 4; f.add('invalid', flags=['ModifiedTag'], sbox=sbs[1], keyMeshing='none', key=k, iv=bytes(8), msg=m, tagLen=4, tag=bytes(t))
    f.save(OUT)
    r = R('28147/wrap'); f = KatFile('gost28147_keywrap_random.json','GOST28147-89','KEYWRAP','GOST 28147-89 key wrap (RFC 4357 6.1), CryptoPro key wrap with KEK diversification (RFC 4357 6.3/6.5), RFC 7836 4.6 key wrap', GENSRC,
        {'Gost':'wrapped = ukm || E_ECB(kek, cek) || IMIT_4(ukm, kek, cek)','CryptoPro':'same with kek(ukm) = diversified KEK (RFC 4357 6.5)','Rfc7836':'kek_e = KDF_GOSTR3411_2012_256(kek, 26bdb878, seed); iv of IMIT = first 8 octets of seed; param set Z; wrapped = seed || CEK_ENC || CEK_MAC','Modified':'unwrap must fail'})
    for sb in sbs[1:]:
        for _ in range(6):
            kek, ukm, cek = r.bytes(32), r.bytes(8), r.bytes(32)
            f.add(flags=['Gost'], type='gost', sbox=sb, kek=kek, ukm=ukm, cek=cek, wrapped=gost_keywrap(kek, ukm, cek, sb))
            f.add(flags=['CryptoPro'], type='cryptopro', sbox=sb, kek=kek, ukm=ukm, cek=cek, kekDiversified=cp_kek_diversify(kek, ukm, sb), wrapped=cp_keywrap(kek, ukm, cek, sb))
    Z = sbs[5]
    for L in (8, 8, 12, 16):
        kek, seed, cek = r.bytes(32), r.bytes(L), r.bytes(r.choice([32, 32, 64])); ke = kdf_256(kek, H('26bdb878'), seed)
        f.add(flags=['Rfc7836'], type='rfc7836', sbox=Z, kek=kek, ukm=seed, cek=cek, wrapped=seed + ecb_enc(Gost28147(ke, Z), cek) + gost_imit(ke, Z, cek, iv=seed[:8]))
    kek, ukm, cek = r.bytes(32), r.bytes(8), r.bytes(32); w = bytearray(gost_keywrap(kek, ukm, cek, Z)); w[20] ^= 1; f.add('invalid', flags=['Modified'], type='gost', sbox=Z, kek=kek, ukm=ukm, wrapped=bytes(w))
    w = cp_keywrap(kek, ukm, cek, Z); f.add('invalid', flags=['Modified'], type='cryptopro', sbox=Z, kek=kek, ukm=ukm, wrapped=w[:-1]); w = bytearray(w); w[-1] ^= 0x80; f.add('invalid', flags=['Modified'], type='cryptopro', sbox=Z, kek=kek, ukm=ukm, wrapped=bytes(w))
    f.save(OUT)

# ------------------------------------------------------------ hashes
def carry_msgs(r):
    M = 1 << 512
    out = [('ff*64', b'\xff'*64), ('ff*128', b'\xff'*128), ('ff*64||01', b'\xff'*64 + b'\x01' + bytes(63)), ('ff*63 (padding octet completes 2^504-1 + 2^504)', b'\xff'*63), ('ff*191', b'\xff'*191)]
    for limb in (8, 16, 32, 64):
        for pos in range(limb, 512, 64 if limb < 64 else 64):
            a = (1 << pos) - 1                      # all ones below pos
            out.append((f'2^{pos}-1 then +1 (carry into bit {pos})', a.to_bytes(64,'little') + (1).to_bytes(64,'little')))
    for pos in range(64, 512, 64):
        a = M - (1 << pos); b = 1 << pos            # carry chain from pos up to the top and out
        out.append((f'carry chain from bit {pos} out of bit 511', a.to_bytes(64,'little') + b.to_bytes(64,'little')))
        x = int.from_bytes(r.bytes(64),'big'); out.append((f'random x, then 2^512-x (sum 0), tail', x.to_bytes(64,'little') + (M - x).to_bytes(64,'little') + r.bytes(pos // 64)))
    for L in (0, 1, 31, 32, 62, 63):                # final padded block triggers the carry
        t = r.bytes(L); pad = int.from_bytes(t + b'\x01' + bytes(63 - L), 'little')
        out.append((f'blocks sum to 2^512 - padded tail of {L} octets', ((M - pad) % M).to_bytes(64,'little') + t))
        out.append((f'blocks sum to 2^512-1 - padded tail of {L} octets', ((M - 1 - pad) % M).to_bytes(64,'little') + t))
    return out
HN = {'Carry':'carry propagation in Sigma (sum of blocks mod 2^512)','EmptyMessage':'empty message','Boundary':'length around the 64-octet block'}
def gen_hash():
    for size in (256, 512):
        r = R(f'streebog/{size}')       # same label structure, other seed
        f = KatFile(f'streebog{size}_random.json', f'STREEBOG-{size}', 'HASH', f'GOST R 34.11-2012 (RFC 6986), {size} bits, octet order as on the wire (RFC 6986 prints vectors reversed)', GENSRC, HN)
        for L in list(range(0, 131)) + [159,160,191,192,193,255,256,257,319,320,383,384,447,448,511,512,513,575,640,704,767,1000]:
            if LITE and L % 2 and L not in (1, 63, 65, 127, 129): continue
            m = r.bytes(L); f.add(flags=(['EmptyMessage'] if not L else []) + (['Boundary'] if L % 64 in (0,1,63) and L else []), msg=m, md=Streebog(size, m).digest())
        for L in (1,63,64,65,128,200):
            for b in (0, 0xff): m = bytes([b])*L; f.add(comment=f'{L} x {b:02x}', msg=m, md=Streebog(size, m).digest())
        for c, m in carry_msgs(r): f.add(flags=['Carry'], comment=c, msg=m, md=Streebog(size, m).digest())
        for L in (1500, 4096, 8192, 8193, 16384, 65535, 65536, 262144+7, 1048576):
            d, m = put_msg(r, L); f.add(**d, md=Streebog(size, m).digest())
        f.save(OUT)
        r = R(f'hmac/{size}'); f = KatFile(f'hmac_streebog{size}_random.json', f'HMAC-STREEBOG-{size}', 'HMAC', f'HMAC_GOSTR3411_2012_{size} (RFC 7836, RFC 2104, B = 64)', GENSRC, {'LongKey':'key longer than 64 octets is hashed first','ModifiedTag':'must fail verification','TruncatedTag':'tag shorter than tagLen: must fail verification'})
        for kl in (0,1,16,31,32,33,48,63,64,65,96,128,129,200):
            for L in (0,1,16,63,64,65,200) if not LITE else (0, 17, 64, 150):
                k, m = r.bytes(kl), r.bytes(L); f.add(flags=['LongKey'] if kl > 64 else [], key=k, msg=m, tagLen=size//8, tag=hmac_streebog(size, k, m))
        for L in (4096, 65537):
            k = r.bytes(32); d, m = put_msg(r, L); f.add(key=k, **d, tagLen=size//8, tag=hmac_streebog(size, k, m))
        for tl in (4, 8, 16, 20): k, m = r.bytes(32), r.bytes(50); f.add(key=k, msg=m, tagLen=tl, tag=hmac_streebog(size, k, m)[:tl])
        k, m = r.bytes(32), r.bytes(50); t = bytearray(hmac_streebog(size, k, m)); t[-1] ^= 1; f.add('invalid', flags=['ModifiedTag'], key=k, msg=m, tagLen=size//8, tag=bytes(t)); f.add('invalid', flags=['TruncatedTag'], key=k, msg=m, tagLen=size//8, tag=bytes(t)[:-1])
        f.save(OUT)
        r = R(f'pbkdf2/{size}'); f = KatFile(f'pbkdf2_streebog{size}_random.json', f'PBKDF2-HMAC-STREEBOG-{size}', 'KDF', f'PBKDF2 (RFC 8018) with HMAC_GOSTR3411_2012_{size}' + (' (R 50.1.111-2016)' if size == 512 else ' (not in R 50.1.111; generic PBKDF2)'), GENSRC, {})
        for pl, sl, c, dl in ((8,8,1,32),(0,8,1,64),(8,0,1,64),(63,16,2,64),(64,16,3,65),(65,16,5,100),(130,40,10,128),(12,8,100,1),(12,8,64,63),(20,32,50,129),(10,8,1000,32),(10,16,2000,64)):
            p, s_ = r.bytes(pl), r.bytes(sl); f.add(password=p, salt=s_, iterations=c, dkLen=dl, dk=pbkdf2_streebog(size, p, s_, c, dl))
        f.save(OUT)
    r = R('kdf'); f = KatFile('kdf_gostr3411_2012_256_random.json','KDF_GOSTR3411_2012_256','KDF','KDF_GOSTR3411_2012_256 and KDF_TREE_GOSTR3411_2012_256 (RFC 7836 4.4, 4.5); L in octets here, encoded in bits without leading zeros', GENSRC,
        {'Kdf':'KDF_GOSTR3411_2012_256','KdfTree':'KDF_TREE_GOSTR3411_2012_256','InvalidR':'R not in 1..4 or L above 256*(2^(8R)-1) bits: must be rejected'})
    for _ in range(12):
        k, l, s = r.bytes(32), r.bytes(r.below(20)), r.bytes(r.below(40)); f.add(flags=['Kdf'], type='kdf', key=k, label=l, seed=s, dk=kdf_256(k, l, s))
    for Rr in (1,2,3,4):
        for L in (1, 16, 31, 32, 33, 64, 96, 128, 512, 1024, 8160):
            k, l, s = r.bytes(32), r.bytes(r.below(20)), r.bytes(r.below(40)); o = kdf_tree_256(k, l, s, Rr, L)
            f.add(flags=['KdfTree'], type='kdf_tree', key=k, label=l, seed=s, R=Rr, L=L, **put_out('dk', o))
    for Rr, L in ((0, 64), (5, 64), (1, 8161)): f.add('invalid', flags=['InvalidR'], type='kdf_tree', key=r.bytes(32), label=r.bytes(8), seed=r.bytes(8), R=Rr, L=L)
    f.save(OUT)
    r = R('prf'); f = KatFile('prf_streebog_random.json','PRF-STREEBOG','KDF','TLS PRF (P_hash, RFC 7836 4.2.1), IKEv2 prf+ (RFC 7836 4.2.2), HKDF-Streebog (RFC 5869/RFC 9367)', GENSRC, {})
    for size in (256, 512):
        for L in (12, 32, 48, 64, 104, 200):
            k, l, s = r.bytes(r.range(16, 80)), r.bytes(r.range(1, 20)), r.bytes(r.range(8, 70)); f.add(type='prf_tls', size=size, key=k, label=l, seed=s, L=L, out=prf_tls(size, k, l, s, L))
            k, s = r.bytes(32), r.bytes(r.range(8, 70)); f.add(type='prf_plus', size=size, key=k, seed=s, L=L, out=prf_plus(size, k, s, L))
            salt, ikm, info = r.bytes(r.below(70)), r.bytes(r.range(16, 70)), r.bytes(r.below(40)); prk = hmac_streebog(size, salt or bytes(size//8), ikm); t = b''; o = b''; i = 1
            while len(o) < L: t = hmac_streebog(size, prk, t + info + bytes([i])); o += t; i += 1
            f.add(type='hkdf', size=size, salt=salt, ikm=ikm, info=info, L=L, prk=prk, out=o[:L])
    f.save(OUT)
    r = R('tlstree'); f = KatFile('tlstree_random.json','TLSTREE','KDF','TLSTREE (RFC 9189 8.1, RFC 9367 4.1.2)', GENSRC, {})
    for suite, cs in TLSTREE_C.items():
        for _ in range(4):
            k = r.bytes(32)
            for i in (0, r.below(1 << 16), r.below(1 << 32), r.below(1 << 40), int.from_bytes(r.bytes(8),'big'), (1 << 64) - 1): f.add(suite=suite, key=k, seqnum=str(i), dk=tlstree(k, i, cs))
    f.save(OUT)
    r = R('kexp15'); f = KatFile('kexp15_random.json','KEXP15','KEYWRAP','KExp15 / KImp15 (R 1323565.1.017-2018 5, RFC 9189 8.2.1)', GENSRC, {'Modified':'KImp15 must fail','IvLength':API['IvLength']})
    for nm, C in CIPH.items():
        n = C.block
        for L in (0,1,16,31,32,32,33,48,64,64,100,128):
            S, km, ke, iv = r.bytes(L), r.bytes(32), r.bytes(32), r.bytes(n//2); f.add(cipher=nm, secret=S, kExpMac=km, kExpEnc=ke, iv=iv, sexp=kexp15(C, S, km, ke, iv))
        for pos in (0, 5, 31, 32, 32 + n - 1):
            S, km, ke, iv = r.bytes(32), r.bytes(32), r.bytes(32), r.bytes(n//2); w = bytearray(kexp15(C, S, km, ke, iv)); w[pos] ^= 1 << r.below(8); f.add('invalid', flags=['Modified'], cipher=nm, kExpMac=km, kExpEnc=ke, iv=iv, sexp=bytes(w))
        S, km, ke, iv = r.bytes(32), r.bytes(32), r.bytes(32), r.bytes(n//2); w = kexp15(C, S, km, ke, iv); f.add('invalid', 'last octet missing', ['Modified'], cipher=nm, kExpMac=km, kExpEnc=ke, iv=iv, sexp=w[:-1]); f.add('invalid', 'shorter than the MAC', ['Modified'], cipher=nm, kExpMac=km, kExpEnc=ke, iv=iv, sexp=w[:n-1])
        f.add('invalid', flags=['IvLength'], cipher=nm, kExpMac=km, kExpEnc=ke, iv=iv + b'\0', sexp=w)
    f.save(OUT)
    r = R('gost94'); f = KatFile('gostr341194_random.json','GOSTR3411-94','HASH','GOST R 34.11-94 (RFC 5831), parameter sets Test and CryptoPro, zero initial vector', GENSRC,
        {'EmptyMessage':'RFC 5831 step 2 processes one all-zero block for the empty message (gost-engine: altMd); CryptoPro-derived implementations (gogost, pygost, libgcrypt, rhash, BouncyCastle, RustCrypto) skip it (md)','Boundary':'length around the 32-octet block','Carry':'carry in the 256-bit checksum'})
    for sb in ('id-GostR3411-94-TestParamSet','id-GostR3411-94-CryptoProParamSet'):
        for L in (0,1,2,16,31,32,33,50,63,64,65,95,96,97,127,128,200,256,500,1000):
            m = r.bytes(L); f.add(flags=(['EmptyMessage'] if not L else []) + (['Boundary'] if L and L % 32 in (0,1,31) else []), sbox=sb, msg=m, md=gost94(m, sb), altMd=gost94_rfc_empty(sb) if not L else None)
        for c, m in (('ff*32||01', b'\xff'*32 + b'\x01'), ('ff*96', b'\xff'*96), ('x, 2^256-x', (lambda x: x + ((1 << 256) - int.from_bytes(x,'little')).to_bytes(32,'little'))(r.bytes(32)))): f.add(flags=['Carry'], comment=c, sbox=sb, msg=m, md=gost94(m, sb))
        for L in (4096, 65536): d, m = put_msg(r, L); f.add(sbox=sb, **d, md=gost94(m, sb))
    f.save(OUT)

def gen_tls():
    r = R('tls'); f = KatFile('tls_records_random.json','TLS-RECORD','RECORD','TLS 1.2 CTR_OMAC (RFC 9189 4.1.1) and TLS 1.3 MGM (RFC 9367 4.1) record protection', GENSRC, {})
    for suite, C in (('TLS_GOSTR341112_256_WITH_MAGMA_CTR_OMAC', Magma), ('TLS_GOSTR341112_256_WITH_KUZNYECHIK_CTR_OMAC', Kuznyechik)):
        for seq, L in ((0, 20), (1, 0), (63, 100), (64, 1000), (4096, 5000), (r.below(1 << 32), 333), ((1 << 32) - 1, 16384)):
            ke, km, iv = r.bytes(32), r.bytes(32), r.bytes(C.block//2); d, m = put_msg(r, L); f.add(version='1.2', suite=suite, writeKey=ke, macKey=km, writeIv=iv, seqnum=str(seq), contentType=23, **d, **put_out('record', tls12_ctr_omac(C, suite, ke, km, iv, seq, 23, m)))
    for suite in [s for s in TLSTREE_C if 'MGM' in s]:
        C = Kuznyechik if 'KUZ' in suite else Magma
        for seq, L in ((0, 20), (7, 1), (8, 100), (200, 1000), (1 << 37, 16000)):
            ke, iv = r.bytes(32), r.bytes(C.block); d, m = put_msg(r, L); f.add(version='1.3', suite=suite, writeKey=ke, writeIv=iv, seqnum=str(seq), comment='msg is the TLSInnerPlaintext', **d, **put_out('record', tls13_mgm(C, suite, ke, iv, seq, m)))
    f.save(OUT)
    r = R('cms'); f = KatFile('cms_ctr_acpkm_random.json','CMS-CTR-ACPKM','CMS','CMS content encryption with gostr3412-2015-*-ctracpkm(-omac) (R 1323565.1.025-2019): key level', GENSRC,
        {'NoMac':'ctracpkm: ct = CTR-ACPKM(cek, N, iv = ukm[0..n/2], msg)','Omac':'ctracpkm-omac: K_enc||K_mac = KDF_TREE_GOSTR3411_2012_256(cek, "kdf tree", seed = last 8 octets of ukm, R=1, 64 octets); ct||encrypted mac = CTR-ACPKM(K_enc, N, ukm[0..n/2], msg || OMAC(K_mac, msg)); the encrypted mac goes to the unprotected attribute 1.2.643.7.1.0.6.1.1','ModifiedTag':'must fail'})
    for nm, C in CIPH.items():
        n = C.block; N = 262144 if n == 16 else 8192
        for L in (0, 1, 100, 1000, 8192, 8193, 262144, 262145, 600000):
            cek, ukm = r.bytes(32), r.bytes(n//2 + 8); d, m = put_msg(r, L)
            f.add(flags=['NoMac'], cipher=nm, cek=cek, ukm=ukm, sectionSize=N, **d, **put_out('ct', ctr_acpkm(C, cek, ukm[:n//2], m, N)))
            ct, t = cms_acpkm_omac(C, cek, ukm, m, N); f.add(flags=['Omac'], cipher=nm, cek=cek, ukm=ukm, sectionSize=N, **d, **put_out('ct', ct), encryptedMac=t)
        ct, t = cms_acpkm_omac(C, cek, ukm, b'abc', N); f.add('invalid', flags=['ModifiedTag'], cipher=nm, cek=cek, ukm=ukm, sectionSize=N, ct=ct, encryptedMac=bytes([t[0] ^ 1]) + t[1:])
    f.save(OUT)

if __name__ == '__main__':
    import time
    for g in (gen_blocks, gen_3413, gen_acpkm, gen_mgm, gen_28147, gen_hash, gen_tls):
        t = time.time(); g(); print(g.__name__, round(time.time() - t, 1), 's', flush=True)
