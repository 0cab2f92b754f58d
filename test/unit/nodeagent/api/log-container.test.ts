import { expect } from 'chai';
import type { ContainerState, Pod } from '../../../../src/apis/types/core-v1.ts';
import { logContainer } from '../../../../src/nodeagent/api/logs/log-container.ts';
import { podOf } from '../container-config/pods.ts';

const running: ContainerState = { running: { startedAt: null } };
const ended = (id?: string): ContainerState => ({
  terminated: { exitCode: 0, ...(id === undefined ? {} : { containerID: `containerd://${id}` }) },
});
const waiting = (reason?: string): ContainerState => ({ waiting: reason === undefined ? {} : { reason } });

function podWith(state: ContainerState, lastState: ContainerState = {}): Pod {
  const status = {
    name: 'c',
    state,
    lastState,
    ready: true,
    restartCount: 0,
    image: '',
    imageID: '',
    containerID: 'containerd://now',
  };
  return { ...podOf(), status: { containerStatuses: [status] } };
}

describe('logContainer', () => {
  const cases: readonly (readonly [what: string, pod: Pod, previous: boolean, result: string])[] = [
    ['the running container', podWith(running), false, 'now'],
    ['the container that has ended', podWith(ended('gone')), false, 'gone'],
    ['the one before when the last was never made', podWith(ended(), ended('before')), false, 'before'],
    [
      'the one before while the next one waits',
      podWith(waiting('CrashLoopBackOff'), ended('before')),
      false,
      'before',
    ],
    ['the one before when it is asked for', podWith(running, ended('before')), true, 'before'],
    [
      'nothing before the first one',
      podWith(running),
      true,
      'previous terminated container "c" in pod "web" not found',
    ],
    ['nothing of what was never made', podWith(ended()), false, 'container "c" in pod "web" is terminated'],
    [
      'why it waits',
      podWith(waiting('ContainerCreating')),
      false,
      'container "c" in pod "web" is waiting to start: ContainerCreating',
    ],
    [
      'that its image cannot be had',
      podWith(waiting('ErrImagePull')),
      false,
      'container "c" in pod "web" is waiting to start: image can\'t be pulled',
    ],
    [
      'that its image is tried again',
      podWith(waiting('ImagePullBackOff')),
      false,
      'container "c" in pod "web" is waiting to start: trying and failing to pull image',
    ],
    [
      'that it waits for no reason',
      podWith(waiting()),
      false,
      'container "c" in pod "web" is waiting to start: ',
    ],
    [
      'that there is no log yet',
      podWith({}),
      false,
      'container "c" in pod "web" is waiting to start - no logs yet',
    ],
    ['that there is no status', podOf(), false, 'container "c" in pod "web" is not available'],
  ];
  for (const [what, pod, previous, result] of cases) {
    it(`finds ${what}`, () => {
      const found = logContainer(pod, 'c', { previous });
      expect('id' in found ? found.id : found.problem).to.equal(result);
      if ('id' in found) expect(found.statusId).to.equal(`containerd://${result}`);
    });
  }
});
