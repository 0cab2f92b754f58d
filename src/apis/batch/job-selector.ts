import type { Job } from '../types/batch-v1.ts';

const uidLabel = 'controller-uid';
const nameLabel = 'job-name';

/** The labels by which a job finds its pods. */
export const generatedLabels = (job: Job): Record<string, string> => ({
  [uidLabel]: job.metadata.uid ?? '',
  [nameLabel]: job.metadata.name ?? '',
});

/**
 * Gives a new job the selector and labels that tell its pods from all others, unless it manages its selector
 * itself. Values that the client chose stay; validation refuses them when they do not fit.
 */
export function generateJobSelector(job: Job): void {
  if (job.spec.manualSelector) return;
  const { spec } = job;
  const expected = generatedLabels(job);
  const labels = { ...expected, ...spec.template.metadata.labels };
  spec.template.metadata.labels = labels;
  spec.selector = {
    ...spec.selector,
    matchLabels: { [uidLabel]: expected[uidLabel] ?? '', ...spec.selector?.matchLabels },
  };
  if (!job.metadata.labels || Object.keys(job.metadata.labels).length === 0) {
    // A job that is read back has the template's labels by default.
    job.metadata.labels = { ...labels };
  }
}
