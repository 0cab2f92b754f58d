import { randomBytes } from 'node:crypto';
import {
  aescbcCipher,
  aesgcmCipher,
  createEncryptedStorage,
  type EncryptionProvider,
  ProviderChain,
  secretboxCipher,
} from '../../../src/storage/encryption/index.ts';
import { openMemoryStorage } from '../../../src/storage/memory/index.ts';
import { ManualClock } from '../../unit/storage/manual-clock.ts';
import { describeStorage } from './suite.ts';

const key = { name: 'key1', secret: randomBytes(32) };
const aesgcm = aesgcmCipher(key);

const providers: readonly EncryptionProvider[] = [
  { kind: 'aescbc', ciphers: [aescbcCipher(key)] },
  { kind: 'aesgcm', ciphers: [aesgcm] },
  { kind: 'secretbox', ciphers: [secretboxCipher(key)] },
];
for (const provider of providers) {
  describeStorage(
    `${provider.kind} over memory`,
    async () => {
      const clock = new ManualClock();
      const chain = new ProviderChain([provider]);
      const storage = createEncryptedStorage(openMemoryStorage({ clock }), () => chain);
      return { storage, passTime: (ms) => clock.advance(ms) };
    },
    { isAlone: true, isDurable: false },
  );
}
