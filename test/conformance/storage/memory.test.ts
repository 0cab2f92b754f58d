import { openMemoryStorage } from '../../../src/storage/memory/index.ts';
import { ManualClock } from '../../unit/storage/manual-clock.ts';
import { describeStorage } from './suite.ts';

describeStorage(
  'memory',
  async () => {
    const clock = new ManualClock();
    return { storage: openMemoryStorage({ clock }), passTime: (ms) => clock.advance(ms) };
  },
  { isAlone: true, isDurable: false },
);
