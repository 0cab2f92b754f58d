import { expect } from 'chai';
import { removeLeftovers } from '../../../../src/nodeagent/lifecycle/index.ts';
import { createRecordingLogger } from '../../../support/recording-logger.ts';

describe('removeLeftovers', () => {
  it('removes logs, then what pods that are gone hold, and goes on after one that stays', async () => {
    const done: string[] = [];
    const logger = createRecordingLogger();
    await removeLeftovers({
      volumes: {
        podsOnDisk: async () => ['busy', 'gone', 'known'],
        async unmount(uid) {
          if (uid === 'busy') throw new Error('it is busy');
          done.push(`volumes ${uid}`);
        },
      },
      cgroups: {
        podsPresent: async () => ['gone'],
        removePod: async (uid) => void done.push(`group ${uid}`),
      },
      files: {
        removeLogsByUid: async (uid) => void done.push(`logs ${uid}`),
        removeStaleLogs: async () => void done.push('stale logs'),
      },
      isKnown: (uid) => uid === 'known',
      logger,
    });
    expect(done).to.deep.equal([
      'logs busy',
      'logs gone',
      'volumes gone',
      'logs gone',
      'group gone',
      'stale logs',
    ]);
    expect(logger.lines.map(({ fields }) => fields.uid)).to.deep.equal(['busy']);
  });

  it('leaves a pod alone that comes back meanwhile', async () => {
    const done: string[] = [];
    let isBack = false;
    await removeLeftovers({
      volumes: { podsOnDisk: async () => ['u'], unmount: async (uid) => void done.push(uid) },
      cgroups: undefined,
      files: {
        async removeLogsByUid() {
          isBack = true;
        },
        removeStaleLogs: async () => {},
      },
      isKnown: () => isBack,
      logger: createRecordingLogger(),
    });
    expect(done).to.deep.equal([]);
  });
});
