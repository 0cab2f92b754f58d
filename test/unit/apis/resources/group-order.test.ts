import { expect } from 'chai';
import { joinGroups } from '../../../../src/apis/resources/group-order.ts';
import { createResourceTable } from '../../../../src/apis/resources/index.ts';
import { createDialect } from '../../../../src/machinery/dialect.ts';

const table = createResourceTable({ dialect: createDialect('orch') });
const custom = (name: string, ...versions: string[]) => ({
  name,
  versions,
  preferredVersion: versions[0] ?? '',
});
const remote = (group: string, version: string, groupPriorityMinimum: number, versionPriority = 10) => ({
  group,
  version,
  groupPriorityMinimum,
  versionPriority,
});
const namesOf = (...args: Parameters<typeof joinGroups>) => joinGroups(...args).map(({ name }) => name);

describe('the order of groups', () => {
  const builtIn = table.groups.map(({ name }) => name);

  it('is the same with a server that comes last, but for that one', () => {
    const changing = [custom('a.example.com', 'v1'), custom('b.example.com', 'v2', 'v1')];
    const expected = [...builtIn, 'a.example.com', 'b.example.com', 'z.example.com'];
    expect(namesOf(table, changing, [remote('z.example.com', 'v1', 100)])).to.deep.equal(expected);
    const [, b] = joinGroups(table, changing, [remote('z.example.com', 'v1', 100)]).slice(builtIn.length);
    expect(b).to.deep.equal(changing[1]);
  });

  it('follows the priority of registrations, then their names', () => {
    const names = namesOf(
      table,
      [custom('m.example.com', 'v1')],
      [
        remote('first.example.com', 'v1', 19_000),
        remote('z.example.com', 'v1', 1000),
        remote('b.example.com', 'v1', 1000),
        remote('after-apps.example.com', 'v1', 17_799),
      ],
    );
    expect(names.slice(-3)).to.deep.equal(['b.example.com', 'm.example.com', 'z.example.com']);
    expect(names.indexOf('after-apps.example.com')).to.equal(names.indexOf('apps') + 1);
    expect(names.indexOf('first.example.com')).to.equal(2);
  });

  it('gives a group its versions by priority, then by age', () => {
    const versions = [
      remote('g.example.com', 'v1beta1', 100, 10),
      remote('g.example.com', 'v2', 100, 10),
      remote('g.example.com', 'v1', 100, 20),
      remote('g.example.com', 'v1alpha1', 100, 10),
    ];
    const group = joinGroups(table, [], versions).find(({ name }) => name === 'g.example.com');
    expect(group).to.deep.equal({
      name: 'g.example.com',
      versions: ['v1', 'v2', 'v1beta1', 'v1alpha1'],
      preferredVersion: 'v1',
    });
  });

  it('has a version of another server in a built-in group by its rank', () => {
    const versions = (priority: number) =>
      joinGroups(table, [], [remote('apps', 'v2', 17_800, priority)]).find(({ name }) => name === 'apps')
        ?.versions;
    expect(versions(20)).to.deep.equal(['v2', 'v1']);
    expect(versions(1)).to.deep.equal(['v1', 'v2']);
  });
});
