import { expect } from 'chai';
import type { RestClient, RestRequest } from '../../../../src/client/rest/index.ts';
import { carryOutClaims, decideClaims, type Owner } from '../../../../src/controllers/workloads/claims.ts';
import { notFound } from '../../../../src/machinery/errors/index.ts';
import type { ApiObject } from '../../../../src/machinery/meta/index.ts';
import { labelSelectorFromSet } from '../../../../src/machinery/selectors/index.ts';

const owner: Owner = {
  ...{ apiVersion: 'apps/v1', kind: 'ReplicaSet', namespace: 'n', name: 's', uid: 'u' },
  isBeingDeleted: false,
};
const selector = labelSelectorFromSet({ app: 'a' });
const pod = (name: string, app: string, controller?: string, more: object = {}): ApiObject => ({
  kind: 'Pod',
  apiVersion: 'v1',
  metadata: {
    ...{ name, namespace: 'n', uid: `${name}-uid`, labels: { app } },
    ...(controller !== undefined && {
      ownerReferences: [{ apiVersion: 'v1', kind: 'K', name: 'k', uid: controller, controller: true }],
    }),
    ...more,
  },
});
const deletionTimestamp = '2026-01-01T00:00:00Z';

describe('what an owner claims', () => {
  const pods = [
    pod('mine', 'a', 'u'),
    pod('mine-going', 'a', 'u', { deletionTimestamp }),
    pod('strayed', 'b', 'u'),
    pod('free', 'a'),
    pod('free-going', 'a', undefined, { deletionTimestamp }),
    pod('free-other', 'b'),
    pod('of-another', 'a', 'x'),
  ];
  const claim = (by: Owner) =>
    Object.fromEntries(
      Object.entries(decideClaims(by, selector, pods)).map(([what, objects]) => [
        what,
        objects.map(({ metadata }: ApiObject) => metadata.name),
      ]),
    );

  it('is what it has and matches, and what matches and nobody has; what matches no more it lets go', () => {
    expect(claim(owner)).to.deep.equal({
      owned: ['mine', 'mine-going'],
      adopted: ['free'],
      released: ['strayed'],
    });
  });

  it('is only what it has when it is being deleted', () => {
    expect(claim({ ...owner, isBeingDeleted: true })).to.deep.equal({
      owned: ['mine', 'mine-going'],
      adopted: [],
      released: [],
    });
  });
});

describe('carrying out claims', () => {
  function carryOut(stored: object, answers: Record<string, Error> = {}) {
    const sent: [string, unknown][] = [];
    const client = {
      json: async () => stored,
      async send({ path, body }: RestRequest) {
        sent.push([path, body]);
        const answer = answers[path];
        if (answer !== undefined) throw answer;
      },
    } as unknown as RestClient; // nothing else is used
    const claims = {
      owned: [pod('mine', 'a', 'u')],
      adopted: [pod('free', 'a')],
      released: [pod('old', 'b', 'u')],
    };
    const claimed = carryOutClaims(owner, claims, {
      ...{ client, signal: new AbortController().signal },
      resource: { group: '', version: 'v1', resource: 'pods' },
      ownerPath: '/owner',
    });
    return { claimed, sent };
  }
  const free = '/api/v1/namespaces/n/pods/free';

  it('writes owner references of what is still the same object', async () => {
    const { claimed, sent } = carryOut({ metadata: { uid: 'u' } });
    expect((await claimed).map(({ metadata }) => metadata.name)).to.deep.equal(['mine', 'free']);
    expect(sent).to.deep.equal([
      [
        free,
        {
          metadata: {
            ownerReferences: [
              {
                ...{ apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 's', uid: 'u' },
                ...{ controller: true, blockOwnerDeletion: true },
              },
            ],
            uid: 'free-uid',
          },
        },
      ],
      [
        '/api/v1/namespaces/n/pods/old',
        { metadata: { ownerReferences: [{ $patch: 'delete', uid: 'u' }], uid: 'old-uid' } },
      ],
    ]);
  });

  it('leaves out what is gone', async () => {
    const gone = notFound({ group: '', resource: 'pods' }, 'free');
    const { claimed } = carryOut({ metadata: { uid: 'u' } }, { [free]: gone });
    expect((await claimed).map(({ metadata }) => metadata.name)).to.deep.equal(['mine']);
  });

  for (const [what, metadata, message] of [
    ['another object by now', { uid: 'new' }, 'original n/s is gone: got uid new, wanted u'],
    ['going', { uid: 'u', deletionTimestamp }, `n/s has just been deleted at ${deletionTimestamp}`],
  ] as const) {
    it(`adopts nothing for an owner that is ${what}`, async () => {
      const { claimed, sent } = carryOut({ metadata });
      const error = await claimed.then(
        () => undefined,
        (thrown: unknown) => thrown,
      );
      expect([error instanceof Error && error.message, sent]).to.deep.equal([message, []]);
    });
  }
});
