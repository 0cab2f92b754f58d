import { execFileSync } from 'node:child_process';

/** Where one member of a cluster lives: in a network of its own. */
export interface MemberNetwork {
  /** Address at which clients on this machine reach it. */
  readonly clientHost: string;
  /** Address at which the other members reach it. */
  readonly peerHost: string;
  /** What a command line starts with to run there. */
  readonly command: readonly string[];
  /** Loses every packet between this member and the others; clients still reach it. */
  cutOff(): void;
  /** Lets packets through again. */
  heal(): void;
}

/** Networks of members that can be parted from one another. */
export interface MemberNetworks extends Disposable {
  readonly members: readonly MemberNetwork[];
}

let made = 0;

/** Whether this process may make networks: it takes the rights of root, and the program `ip`. */
export function canMakeNetworks(): boolean {
  const name = `orch-try-${process.pid}`;
  try {
    ip('netns', 'add', name);
    ip('netns', 'delete', name);
    return true;
  } catch {
    return false;
  }
}

/**
 * Makes a network namespace for each member, with one link to this machine for clients, and one to a bridge that joins
 * the members.
 */
export function makeMemberNetworks(count: number): MemberNetworks {
  const id = `orch-${process.pid}-${++made}`;
  const bridge = `${id}-bridge`;
  const names = Array.from({ length: count }, (_, index) => `${id}-m${index}`);
  const remove = (): void => {
    // A namespace may outlive its name for a while, and the links with it.
    for (const index of names.keys()) quietly(() => ip('link', 'delete', linkName(index)));
    for (const name of [bridge, ...names]) quietly(() => ip('netns', 'delete', name));
  };
  try {
    ip('netns', 'add', bridge);
    within(bridge, 'link', 'add', 'bridge', 'type', 'bridge');
    within(bridge, 'link', 'set', 'bridge', 'up');
    return {
      members: names.map((name, index) => makeMember(name, { index, bridge })),
      [Symbol.dispose]: remove,
    };
  } catch (error) {
    remove();
    throw error;
  }
}

function makeMember(
  name: string,
  { index, bridge }: { readonly index: number; readonly bridge: string },
): MemberNetwork {
  const port = `peer${index}`;
  const [here, clientHost] = clientAddresses(index);
  const peerHost = `10.0.0.${index + 1}`;
  const link = linkName(index);
  ip('netns', 'add', name);
  within(name, 'link', 'set', 'lo', 'up');
  ip('link', 'add', link, 'type', 'veth', 'peer', 'name', 'client', 'netns', name);
  ip('address', 'add', `${here}/30`, 'dev', link);
  ip('link', 'set', link, 'up');
  within(name, 'address', 'add', `${clientHost}/30`, 'dev', 'client');
  within(name, 'link', 'set', 'client', 'up');
  within(bridge, 'link', 'add', port, 'type', 'veth', 'peer', 'name', 'peer', 'netns', name);
  within(bridge, 'link', 'set', port, 'master', 'bridge', 'up');
  within(name, 'address', 'add', `${peerHost}/24`, 'dev', 'peer');
  within(name, 'link', 'set', 'peer', 'up');
  return {
    clientHost,
    peerHost,
    command: ['ip', 'netns', 'exec', name],
    // A port without bridge: the line looks well at both ends, and nothing arrives.
    cutOff: () => within(bridge, 'link', 'set', port, 'nomaster'),
    heal: () => within(bridge, 'link', 'set', port, 'master', 'bridge'),
  };
}

/** This machine's end of a member's link. */
function linkName(index: number): string {
  return `oc${process.pid}m${index}`;
}

/** Both ends of a member's link to this machine, of the range for tests of networks (RFC 2544), other ones by process. */
function clientAddresses(index: number): readonly [string, string] {
  const first = (process.pid % 4096) * 32 + index * 4;
  const address = (offset: number): string =>
    `198.${18 + ((first + offset) >> 16)}.${((first + offset) >> 8) & 255}.${(first + offset) & 255}`;
  return [address(1), address(2)];
}

function within(namespace: string, ...args: readonly string[]): void {
  ip('-netns', namespace, ...args);
}

function ip(...args: readonly string[]): void {
  execFileSync('ip', args, { stdio: 'pipe' });
}

function quietly(work: () => void): void {
  try {
    work();
  } catch {
    // It was not made, which is as good.
  }
}
