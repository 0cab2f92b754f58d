import { appendFile, readFile } from 'node:fs/promises';
import { fileErrorText, reasonText } from '../base/index.ts';
import { OptionsError } from '../config/index.ts';
import type { ServeConfig } from '../config/serve/index.ts';
import type { Dialect } from '../machinery/dialect.ts';
import {
  type AppendLines,
  type AuditPolicy,
  AuditPolicyError,
  metadataPolicy,
  readAuditPolicy,
} from '../server/audit/index.ts';

/** Where events go, and which ones there are. */
export interface AuditAccess {
  readonly append: AppendLines;
  readonly policy: AuditPolicy;
}

/**
 * The audit log as the flags say; undefined where none is asked for. Without a policy the metadata of all requests is
 * recorded. The file is opened anew for each batch, so that it may be moved away at any time; only its owner can read it.
 *
 * @throws OptionsError when the policy cannot be read, or nothing can be appended to the log.
 */
export async function openAuditLog(config: ServeConfig, dialect: Dialect): Promise<AuditAccess | undefined> {
  const path = config.auditLogPath;
  if (path === undefined || path === '') return undefined;
  const policyPath = config.auditPolicyFile;
  const policy = policyPath === undefined ? metadataPolicy : await readPolicyFile(policyPath, dialect);
  if (path === '-') return { policy, append: appendToOutput };
  const append = (lines: string) => appendFile(path, lines, { mode: 0o600 });
  await append('').catch((cause) => {
    throw new OptionsError([`--audit-log-path: ${fileErrorText(cause, path)}`]);
  });
  return { policy, append };
}

async function readPolicyFile(path: string, dialect: Dialect): Promise<AuditPolicy> {
  try {
    const text = await readFile(path, 'utf8');
    const { CORE_SCHEMA, load } = await import('js-yaml');
    return readAuditPolicy(load(text, { schema: CORE_SCHEMA }), dialect);
  } catch (error) {
    if (!(error instanceof AuditPolicyError)) {
      throw new OptionsError([`--audit-policy-file: read ${path}: ${reasonText(error)}`]);
    }
    throw new OptionsError(error.problems.map((problem) => `--audit-policy-file: ${path}: ${problem}`));
  }
}

/** A reader that is gone makes writing fail, which ends nothing: events are lost. */
function appendToOutput(lines: string): Promise<void> {
  return new Promise((resolve, reject) => {
    process.stdout.write(lines, (error) => (error ? reject(error) : resolve()));
  });
}
