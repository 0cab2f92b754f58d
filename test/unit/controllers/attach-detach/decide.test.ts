import { expect } from 'chai';
import type { VolumeAttachment } from '../../../../src/apis/types/storage-v1.ts';
import { attachmentNameOf } from '../../../../src/controllers/attach-detach/attachable-volume.ts';
import { readAttached } from '../../../../src/controllers/attach-detach/attached-volumes.ts';
import {
  decideDetaching,
  isAttached,
  isDetached,
  maxUnmountWaitMs,
  multiAttachMessage,
  nodesInTheWay,
} from '../../../../src/controllers/attach-detach/decide.ts';
import { attachmentName, csiSourceOfClaim } from '../../../../src/nodeagent/volumes/csi-source.ts';
import { node, pod, sources, volume } from './objects.ts';

const key = 'orch.io/csi/d.example^h';
const attached = (on: string, isConfirmed = true) => ({
  ...{ key, node: on, isShared: false, isConfirmed },
  ...{ isReported: true, isMounted: false },
});
const attachment = (status: object, metadata: object = {}): VolumeAttachment =>
  ({
    metadata: { name: attachmentNameOf({ driver: 'd.example', handle: 'h', node: 'a' }), ...metadata },
    spec: { attacher: 'd.example', nodeName: 'a', source: { persistentVolumeName: 'v' } },
    status,
  }) as unknown as VolumeAttachment;

describe('an attachment', () => {
  it('has the name that the agent looks for', () => {
    const source = csiSourceOfClaim(volume(), { isReadOnly: false });
    expect(source && attachmentName(source, 'a')).to.equal(
      attachmentNameOf({ driver: 'd.example', handle: 'h', node: 'a' }),
    );
  });

  it('has come off when its driver says so, and will not when it says why or the object goes', () => {
    expect(isAttached(attachment({ attached: true }))).to.equal(true);
    expect(isAttached(attachment({ attached: false }))).to.equal(false);
    const failed = attachment({ attached: false, attachError: { message: 'no room' } });
    expect(() => isAttached(failed)).to.throw('no room');
    const going = attachment({ attached: true }, { deletionTimestamp: '2026-01-01T00:00:00Z' });
    expect(() => isAttached(going)).to.throw('volume attachment is being deleted');
    expect(() => isAttached(undefined)).to.throw('volume attachment has been deleted');
  });

  it('is undone when it is gone', () => {
    expect(isDetached(undefined)).to.equal(true);
    expect(isDetached(attachment({ attached: true }))).to.equal(false);
    const failed = attachment({ attached: true, detachError: { message: 'busy' } });
    expect(() => isDetached(failed)).to.throw('busy');
  });
});

describe('decideDetaching', () => {
  it('detaches what the node does not use', () => {
    expect(decideDetaching({ isMounted: false, unneededSinceMs: 0 }, 0)).to.equal('detach');
  });

  it('waits for a node that uses it, but not for ever', () => {
    const used = { isMounted: true, unneededSinceMs: 1000 };
    expect(decideDetaching(used, 1000 + maxUnmountWaitMs)).to.equal('wait');
    expect(decideDetaching(used, 1001 + maxUnmountWaitMs)).to.equal('force');
  });
});

describe('a volume that one node at a time may have', () => {
  const wanted = (isShared = false) => ({
    ...{ node: 'b', pods: [pod('p')] },
    volume: { key, name: 'v', isShared, source: { persistentVolumeName: 'v' } },
  });

  it('waits for the node that has it', () => {
    expect(nodesInTheWay(wanted(), [attached('a'), attached('b')])).to.deep.equal(['a']);
    expect(nodesInTheWay(wanted(), [attached('a', false)])).to.deep.equal([]);
    expect(nodesInTheWay(wanted(true), [attached('a')])).to.deep.equal([]);
  });

  it('has its pods told who has it, without names of other namespaces', () => {
    const message = (...users: ReturnType<typeof pod>[]) => multiAttachMessage('v', pod('p'), users);
    const other = pod('x', { metadata: { namespace: 'other' } });
    const begin = 'Multi-Attach error for volume "v" Volume is already';
    expect(message()).to.equal(`${begin} exclusively attached to one node and can't be attached to another`);
    expect(message(pod('q'), pod('r'))).to.equal(`${begin} used by pod(s) q, r`);
    expect(message(pod('q'), other)).to.equal(
      `${begin} used by pod(s) q and 1 pod(s) in different namespaces`,
    );
    expect(message(other)).to.equal(`${begin} used by 1 pod(s) in different namespaces`);
  });
});

describe('readAttached', () => {
  it('believes what nodes say of volumes of drivers', () => {
    const shown = ['orch.io/flex^x', key].map((name) => ({ name, devicePath: '' }));
    const nodes = [node('a', {}, { volumesAttached: shown, volumesInUse: [key] })];
    const read = readAttached(nodes, [attachment({ attached: true })], sources());
    expect([...read.keys()]).to.deep.equal([`a/${key}`]);
    expect(read.get(`a/${key}`)).to.include({ isConfirmed: true, isReported: true, isMounted: true });
  });

  it('finds attachments that no node shows, by their names', () => {
    const read = readAttached([node('a')], [attachment({ attached: false })], sources());
    expect(read.get(`a/${key}`)).to.include({ isConfirmed: false, isReported: false, isMounted: false });
    const foreign = attachment({ attached: true }, { name: 'made-by-hand' });
    expect(readAttached([node('a')], [foreign], sources()).size).to.equal(0);
  });
});
