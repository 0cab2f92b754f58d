import { createVersionedStorage, type StoredForms } from '../../../src/storage/index.ts';
import { openMemoryStorage } from '../../../src/storage/memory/index.ts';
import { ManualClock } from '../../unit/storage/manual-clock.ts';
import { describeStorage } from './suite.ts';

/** Values have a field more where they are stored: all that is read and written passes through here. */
const field = '"stored":true,';
const forms: StoredForms = {
  read(bytes) {
    const text = bytes.toString();
    if (!text.startsWith(`{${field}`)) throw new Error(`stored as it was given: ${text.slice(0, 80)}`);
    return { bytes: Buffer.from(text.replace(field, '')), isStale: false };
  },
  write: (bytes) => Buffer.from(bytes.toString().replace('{', `{${field}`)),
};

describeStorage(
  'forms over memory',
  async () => {
    const clock = new ManualClock();
    const storage = createVersionedStorage(openMemoryStorage({ clock }), forms);
    return { storage, passTime: (ms) => clock.advance(ms) };
  },
  { isAlone: true, isDurable: false },
);
