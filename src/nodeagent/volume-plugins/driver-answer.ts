import { findJsonFault } from '../../machinery/schema/index.ts';

/** What a driver can do, as it says when it is first called. */
export interface DriverCapabilities {
  /** Its volumes are attached to the node before they are mounted. */
  readonly attach: boolean;
  readonly selinuxRelabel: boolean;
  /** Usage of its volumes is that of their file system. */
  readonly supportsMetrics: boolean;
  /** Files may be given to the group of the pod. */
  readonly fsGroup: boolean;
  readonly requiresFSResize: boolean;
}

/** What a driver answered to a command that it has carried out. */
export interface DriverAnswer {
  readonly message: string;
  /** Path of the device, for commands that attach. */
  readonly device: string;
  readonly capabilities: DriverCapabilities;
}

/** A driver could not be called, has failed, or has answered in an unknown form. */
export class DriverError extends Error {
  override readonly name = 'DriverError';
}

/** What holds for a driver that does not say so. */
const defaults: DriverCapabilities = {
  attach: true,
  selinuxRelabel: true,
  supportsMetrics: false,
  fsGroup: true,
  requiresFSResize: true,
};

/**
 * Reads the answer to a command; undefined when the driver does not have the command. Case does not matter in names of
 * fields; fields of other types than they should have refuse the whole, as release 1.20 has it.
 *
 * @throws DriverError when the driver says that it has failed, or the text is no answer
 */
export function parseDriverAnswer(command: string, output: string): DriverAnswer | undefined {
  const fields = readFields(output);
  const status = readText(fields, 'status');
  if (status === 'Not supported') return undefined;
  const message = readText(fields, 'message');
  if (status !== 'Success') {
    throw new DriverError(`${command} command failed, status: ${status}, reason: ${message}`);
  }
  return {
    message,
    device: readText(fields, 'device'),
    capabilities: readCapabilities(fields.get('capabilities')),
  };
}

type Fields = ReadonlyMap<string, unknown>;

function readFields(output: string): Fields {
  const text = output.trim();
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new DriverError(findJsonFault(Buffer.from(text)) ?? 'answer is not JSON', { cause });
  }
  return toFields(value);
}

function toFields(value: unknown): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new DriverError('json: cannot unmarshal the answer: it is not an object');
  }
  return new Map(Object.entries(value).map(([name, field]) => [name.toLowerCase(), field]));
}

function readText(fields: Fields, name: string): string {
  const value = fields.get(name) ?? '';
  if (typeof value !== 'string') throw wrongType(name, 'string');
  return value;
}

function readBoolean(fields: Fields, name: string, otherwise: boolean): boolean {
  const value = fields.get(name.toLowerCase()) ?? otherwise;
  if (typeof value !== 'boolean') throw wrongType(name, 'bool');
  return value;
}

const wrongType = (name: string, type: string): DriverError =>
  new DriverError(`json: cannot unmarshal the answer: field ${name} is not of type ${type}`);

function readCapabilities(value: unknown): DriverCapabilities {
  if (value === undefined || value === null) return defaults;
  const fields = toFields(value);
  const read = (name: keyof DriverCapabilities): boolean => readBoolean(fields, name, defaults[name]);
  return {
    attach: read('attach'),
    selinuxRelabel: read('selinuxRelabel'),
    supportsMetrics: read('supportsMetrics'),
    fsGroup: read('fsGroup'),
    requiresFSResize: read('requiresFSResize'),
  };
}
