// @litehex/node-vault: it checks the form of each answer.
import {createRequire} from 'node:module';
import {pathToFileURL} from 'node:url';
const {Client} = await import(pathToFileURL(createRequire(process.env.CACHE + '/node/x.js').resolve('@litehex/node-vault')));

const client = new Client({endpoint: process.env.VAULT_ADDR, token: process.env.VAULT_TOKEN});
const {transit} = client, key = {mountPath: 'transit', name: 'litehex'}, text = Buffer.from('a text').toString('base64');
const data = async call => {
    const {data, error} = await call;
    if (error) throw error;
    return data.data ?? data;
};
const right = (name, value) => {
    if (!value) throw new Error(name);
};

await data(transit.createKey(key));
for (let n = 1; n < 3; n++) {
    const {ciphertext} = await data(transit.encrypt({...key, plaintext: text}));
    right('decrypt', (await data(transit.decrypt({...key, ciphertext}))).plaintext === text);
    await data(transit.rotateKey(key));
    right('rewrap', (await data(transit.rewrap({...key, ciphertext}))).ciphertext.startsWith(`vault:v${n + 1}:`));
    const changed = ciphertext.slice(0, -4) + 'AAA=';
    right('changed', (await transit.decrypt({...key, ciphertext: changed})).error);
}
right('readKey', (await data(transit.readKey(key))).type === 'kuznyechik-mgm');
right('updateKey', (await data(transit.updateKey({...key, deletion_allowed: true}))).deletion_allowed);
right('generateDataKey', (await data(transit.generateDataKey({...key, type: 'plaintext'}))).key_version === 3);
right('generateRandom', (await data(transit.generateRandom({mountPath: 'transit', source: 'platform', bytes: 16}))).random_bytes.length === 24);
right('hmac', (await data(transit.hmac({...key, input: text}))).hmac.startsWith('vault:v3:'));
right('mounts', (await data(client.mounts()))['transit/'].running_plugin_version);
right('info', await data(transit.info({mountPath: 'transit'})));
right('seal', (await data(client.sealStatus())).sealed === false);
right('health', (await data(client.health())).initialized);
