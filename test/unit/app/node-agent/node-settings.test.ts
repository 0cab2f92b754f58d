import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { nodeSettings } from '../../../../src/app/node-agent/node-settings.ts';
import { orchDialect } from '../../../../src/machinery/dialect.ts';
import { readAgentRequest } from '../../../../src/nodeagent/options/index.ts';
import { makeTemporaryDirectory, type TemporaryDirectory } from '../../../support/temporary-directory.ts';

describe('nodeSettings', () => {
  let directory: TemporaryDirectory;
  beforeEach(async () => {
    directory = await makeTemporaryDirectory();
  });
  afterEach(() => directory.remove());

  const settingsFor = (resolvConf: string) => {
    const argv = [`--resolv-conf=${resolvConf}`];
    const none = (): never => {
      throw new Error('there are no files');
    };
    const request = readAgentRequest({ argv, workingDirectory: '/', readFile: none });
    if (request.kind !== 'run') throw new Error('does not run');
    const machine = { memoryBytes: 1, hugepageBytes: new Map() } as unknown as Parameters<
      typeof nodeSettings
    >[0]['machine']; // The settings look at no more of the machine.
    return nodeSettings({ config: request.config, machine, dialect: orchDialect, nodeIps: [] });
  };

  it('have what the file of name servers says when they are made', async () => {
    const path = join(directory.path, 'resolv.conf');
    const linesNow = () => settingsFor(path).dns.resolvConf;
    const missing = `open ${path}: no such file or directory`;
    expect(linesNow()).to.be.an('error').with.property('message', missing);
    await writeFile(path, 'nameserver 192.0.2.1\n');
    expect(linesNow()).to.have.deep.property('servers', ['192.0.2.1']);
    await writeFile(path, 'nameserver 192.0.2.2\n');
    expect(linesNow()).to.have.deep.property('servers', ['192.0.2.2']);
    await writeFile(path, 'nameserver\n');
    expect(linesNow()).to.be.an('error').with.property('message', 'nameserver list is empty ');
    await rm(path);
    expect(linesNow()).to.be.an('error').with.property('message', missing);
  });

  it('have no lines when there is to be no file', () => {
    expect(settingsFor('').dns.resolvConf).to.equal(undefined);
  });
});
