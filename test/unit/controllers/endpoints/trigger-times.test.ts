import { expect } from 'chai';
import type { Pod, Service } from '../../../../src/apis/types/core-v1.ts';
import { TriggerTimes } from '../../../../src/controllers/endpoints/trigger-times.ts';
import { orchDialect } from '../../../../src/machinery/dialect.ts';

const at = (second: number): string => `2021-01-01T00:00:0${second}Z`;
const service = (second: number): Service => ({
  kind: 'Service',
  apiVersion: 'v1',
  metadata: { name: 's', namespace: 'n', creationTimestamp: at(second) },
  spec: {},
  status: { loadBalancer: {} },
});
const pod = (name: string, readySecond?: number): Pod => ({
  kind: 'Pod',
  apiVersion: 'v1',
  metadata: { name, namespace: 'n' },
  spec: { containers: [] },
  status: {
    conditions:
      readySecond === undefined
        ? []
        : [{ type: 'Ready', status: 'True', lastTransitionTime: at(readySecond) }],
  },
});

describe('TriggerTimes', () => {
  let times: TriggerTimes;
  beforeEach(() => {
    times = new TriggerTimes(orchDialect);
  });

  it('takes the creation of a service that it has not seen, whatever became of its pods', () => {
    expect(times.look(service(3), [pod('a', 1), pod('b', 5)])).to.equal(at(3));
  });

  it('takes the earliest change of a pod since the last look', () => {
    times.look(service(0), [pod('a', 1), pod('b', 1)]);
    expect(times.look(service(0), [pod('a', 4), pod('b', 1), pod('new', 3)])).to.equal(at(3));
  });

  it('knows no time where no pod changed, or one went', () => {
    times.look(service(0), [pod('a', 1), pod('b', 1), pod('c')]);
    expect(times.look(service(0), [pod('a', 1), pod('c')])).to.equal(undefined);
  });

  it('takes the creation of a service that was made anew', () => {
    times.look(service(0), [pod('a', 1)]);
    expect(times.look(service(5), [pod('a', 1)])).to.equal(at(5));
  });

  it('has not seen what it was told to forget', () => {
    times.look(service(2), [pod('a', 5)]);
    times.forget('n/s');
    expect(times.look(service(2), [pod('a', 6)])).to.equal(at(2));
  });

  it('stamps the time, or takes an older one away', () => {
    const key = 'endpoints.orch.io/last-change-trigger-time';
    const stamped = times.stamp({ name: 'e', annotations: { mine: 'x' } }, at(1));
    expect(stamped).to.deep.equal({ name: 'e', annotations: { mine: 'x', [key]: at(1) } });
    expect(times.stamp(stamped, undefined)).to.deep.equal({ name: 'e', annotations: { mine: 'x' } });
  });
});
