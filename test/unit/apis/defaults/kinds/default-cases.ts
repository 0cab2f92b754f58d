import { expect } from 'chai';
import { type Body, type Change, create, describeChange, served, withChange } from '../../write-bench.ts';

/** An object as it is sent, and what has been set in it when it is answered; `undefined` is what was dropped. */
export type DefaultCase = readonly [body: Body, set: Change];

/** What every pod with one container is given, below `path`; `more` is what this one is given as well. */
export const podDefaults = (path: string, more: Change = {}): Change => ({
  [`${path}/spec/containers/0/resources`]: {},
  [`${path}/spec/containers/0/terminationMessagePath`]: '/dev/termination-log',
  [`${path}/spec/containers/0/terminationMessagePolicy`]: 'File',
  [`${path}/spec/containers/0/imagePullPolicy`]: 'IfNotPresent',
  [`${path}/spec/restartPolicy`]: 'Always',
  [`${path}/spec/terminationGracePeriodSeconds`]: 30,
  [`${path}/spec/dnsPolicy`]: 'ClusterFirst',
  [`${path}/spec/securityContext`]: {},
  [`${path}/spec/schedulerName`]: 'default-scheduler',
  ...(path === '' ? { '/spec/enableServiceLinks': true } : {}),
  ...more,
});

/** Tests of what new objects of one group are given: by defaults, and by the rules of their kinds. */
export function describeDefaults(group: string, cases: readonly DefaultCase[]): void {
  describe(`createDefaulter for objects of ${group}`, () => {
    for (const [body, set] of cases) {
      it(`sets in ${body.kind} of ${body.apiVersion}: ${describeChange(set)}`, () => {
        const { object, errors } = create(body);
        expect(errors).to.deep.equal([]);
        expect(withoutServerFields(served(object, body))).to.deep.equal(
          withoutServerFields(withChange(body, set)),
        );
      });
    }
  });
}

/** What is left when the server's own fields are taken out. */
function withoutServerFields({ metadata, status, ...rest }: Record<string, unknown>): object {
  return rest;
}
