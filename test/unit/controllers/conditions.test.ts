import { expect } from 'chai';
import { nextConditions } from '../../../src/controllers/namespace/conditions.ts';
import { type ContentReport, isEmpty } from '../../../src/controllers/namespace/content-report.ts';

const empty: ContentReport = { discoveryFailures: [], deletionFailures: [], remaining: [] };
const options = { now: '2020-01-01T00:00:00Z', spell: (text: string) => text };
const summary = (report: ContentReport) =>
  nextConditions([], report, options)?.map(({ type, status, reason, message }) => [
    type,
    status,
    reason,
    message,
  ]);

describe('nextConditions', () => {
  it('says five times that all is well', () => {
    expect(summary(empty)).to.deep.equal([
      [
        'NamespaceDeletionDiscoveryFailure',
        'False',
        'ResourcesDiscovered',
        'All resources successfully discovered',
      ],
      [
        'NamespaceDeletionGroupVersionParsingFailure',
        'False',
        'ParsedGroupVersions',
        'All legacy orch types successfully parsed',
      ],
      [
        'NamespaceDeletionContentFailure',
        'False',
        'ContentDeleted',
        'All content successfully deleted, may be waiting on finalization',
      ],
      ['NamespaceContentRemaining', 'False', 'ContentRemoved', 'All content successfully removed'],
      [
        'NamespaceFinalizersRemaining',
        'False',
        'ContentHasNoFinalizers',
        'All content-preserving finalizers finished',
      ],
    ]);
  });

  it('names what is left and why', () => {
    const report: ContentReport = {
      discoveryFailures: [{ groupVersion: 'x.example.com/v1', message: 'no answer' }],
      deletionFailures: ['b failed', 'a failed'],
      remaining: [
        { resource: 'pods.', count: 2, finalizers: new Map([['example.com/f', 1]]) },
        {
          resource: 'deployments.apps',
          count: 1,
          finalizers: new Map([
            ['example.com/f', 1],
            ['example.com/e', 1],
          ]),
        },
      ],
    };
    const [discovery, , content, remaining, finalizers] = summary(report) ?? [];
    expect(discovery?.slice(1)).to.deep.equal([
      'True',
      'DiscoveryFailed',
      'Discovery failed for some groups, 1 failing: unable to retrieve the complete list of server APIs: x.example.com/v1: no answer',
    ]);
    expect(content?.slice(1)).to.deep.equal([
      'True',
      'ContentDeletionFailed',
      'Failed to delete all resource types, 2 remaining: a failed, b failed',
    ]);
    expect(remaining?.slice(1)).to.deep.equal([
      'True',
      'SomeResourcesRemain',
      'Some resources are remaining: deployments.apps has 1 resource instances, pods. has 2 resource instances',
    ]);
    expect(finalizers?.slice(1)).to.deep.equal([
      'True',
      'SomeFinalizersRemain',
      'Some content in the namespace has finalizers remaining: example.com/e in 1 resource instances, example.com/f in 2 resource instances',
    ]);
  });

  it('changes nothing when nothing changed, and times only with the status', () => {
    const first = nextConditions([], empty, options) ?? [];
    expect(nextConditions(first, empty, { ...options, now: 'later' })).to.equal(undefined);
    const left = (count: number): ContentReport => ({
      ...empty,
      remaining: [{ resource: 'pods.', count, finalizers: new Map() }],
    });
    const second = nextConditions(first, left(2), { ...options, now: 'second' }) ?? [];
    const third = nextConditions(second, left(1), { ...options, now: 'third' }) ?? [];
    expect(third.map(({ lastTransitionTime }) => lastTransitionTime)).to.deep.equal([
      options.now,
      options.now,
      options.now,
      'second',
      options.now,
    ]);
    expect(third[3]?.message).to.contain('has 1 resource');
  });

  it('keeps conditions of others', () => {
    const foreign = { type: 'Foreign', status: 'True', lastTransitionTime: null };
    expect(nextConditions([foreign], empty, options)?.[0]).to.deep.equal(foreign);
  });
});

describe('isEmpty', () => {
  it('is false for anything that is left or failed', () => {
    expect(isEmpty(empty)).to.equal(true);
    expect(isEmpty({ ...empty, deletionFailures: ['x'] })).to.equal(false);
    expect(isEmpty({ ...empty, discoveryFailures: [{ groupVersion: 'v1', message: '' }] })).to.equal(false);
    expect(isEmpty({ ...empty, remaining: [{ resource: 'x', count: 1, finalizers: new Map() }] })).to.equal(
      false,
    );
  });
});
