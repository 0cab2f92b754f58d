import { otherFailure, quoteGo, type StatusError } from '../../errors/index.ts';
import { formatPath } from '../fieldpath/path-element.ts';
import type { FieldConflict } from '../merge/conflict.ts';
import { parseIdentity } from './identity.ts';

function showManager(id: string): string {
  const { manager, operation, apiVersion } = parseIdentity(id);
  return operation === 'Update' ? `${quoteGo(manager)} using ${apiVersion ?? ''}` : quoteGo(manager);
}

/** 409 with one cause per field that somebody else owns. */
export function applyConflict(conflicts: readonly FieldConflict[]): StatusError {
  const shown = conflicts.map(({ manager, path }) => ({
    manager: showManager(manager),
    field: formatPath(path),
  }));
  return otherFailure(409, 'Conflict', conflictMessage(shown), {
    causes: shown.map(({ manager, field }) => ({
      reason: 'FieldManagerConflict',
      message: `conflict with ${manager}`,
      field,
    })),
  });
}

interface Shown {
  readonly manager: string;
  readonly field: string;
}

function conflictMessage(conflicts: readonly Shown[]): string {
  const [first] = conflicts;
  if (conflicts.length === 1 && first !== undefined) {
    return `Apply failed with 1 conflict: conflict with ${first.manager}: ${first.field}`;
  }
  const lines: string[] = [];
  let manager: string | undefined;
  // Conflicts come manager by manager.
  for (const conflict of conflicts) {
    if (conflict.manager !== manager) lines.push(`conflicts with ${conflict.manager}:`);
    manager = conflict.manager;
    lines.push(`- ${conflict.field}`);
  }
  return `Apply failed with ${conflicts.length} conflicts: ${lines.join('\n')}`;
}

/** 500 without a reason, as structured-merge-diff answers what its type check refuses. */
export const applyFailure = (message: string): StatusError => otherFailure(500, '', message);
