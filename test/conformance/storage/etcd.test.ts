import { after, before } from 'mocha';
import { openEtcdStorage } from '../../../src/storage/etcd/index.ts';
import { type EtcdCluster, startEtcd } from '../../support/etcd-process.ts';
import { describeStorage } from './suite.ts';

let cluster: EtcdCluster;
let count = 0;

before(async () => {
  cluster = await startEtcd({ args: ['--unsafe-no-fsync'] });
});
after(() => cluster[Symbol.asyncDispose]());

describeStorage(
  'etcd',
  async () => {
    const prefix = `/test-${++count}/`;
    const open = () => openEtcdStorage({ endpoints: cluster.endpoints, keyPrefix: prefix });
    return { storage: await open(), prefix, reopen: open };
  },
  { isAlone: false, isDurable: true },
);
