// node-vault: the client of many programs in Node.
import {createRequire} from 'node:module';
const vault = createRequire(process.env.CACHE + '/node/x.js')('node-vault')({endpoint: process.env.VAULT_ADDR, token: process.env.VAULT_TOKEN});
const right = (name, value) => {
    if (!value) throw new Error(name);
};

const text = Buffer.from('a text').toString('base64');
await vault.write('transit/keys/node', {});
for (let n = 0; n < 2; n++) {
    const sealed = await vault.encryptData({name: 'node', plaintext: text});
    const opened = await vault.decryptData({name: 'node', ciphertext: sealed.data.ciphertext});
    right('plaintext', opened.data.plaintext === text);
}
right('list', (await vault.list('transit/keys')).data.keys.includes('node'));
right('mounts', (await vault.mounts())['transit/'].type === 'transit');
right('policies', (await vault.policies()).policies.includes('root'));
right('auths', (await vault.auths())['approle/']);
await vault.addPolicy({name: 'node', rules: 'path "transit/*" { capabilities = ["read"] }'});
await vault.addApproleRole({role_name: 'node', policies: 'node'});
const {role_id} = (await vault.getApproleRoleId({role_name: 'node'})).data;
const {secret_id} = (await vault.getApproleRoleSecret({role_name: 'node'})).data;
right('login', (await vault.approleLogin({role_id, secret_id})).auth.client_token);
let refused = '';
await vault.decryptData({name: 'node', ciphertext: 'vault:v1:AAAA'}).catch(error => (refused = String(error)));
right('refused', refused.includes('denied') || refused.includes('ciphertext'));
