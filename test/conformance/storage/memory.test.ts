import { openMemoryStorage } from '../../../src/storage/memory/index.ts';
import { describeStorage } from './suite.ts';

describeStorage('memory', async () => openMemoryStorage());
