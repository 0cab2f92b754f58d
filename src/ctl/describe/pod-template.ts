import { asJsonObject } from '../../base/index.ts';
import type { Dialect } from '../../machinery/dialect.ts';
import { describeContainers } from './containers.ts';
import { asRecords, type Fields, Report } from './report.ts';
import { describeVolumes } from './volumes.ts';

/** The template from which pods are made. */
export function describePodTemplate(report: Report, template: Fields, dialect: Dialect): void {
  const metadata = asJsonObject(template.metadata);
  const spec = asJsonObject(template.spec);
  report.line(0, 'Pod Template:');
  report.map('Labels', metadata.labels, { level: 1 });
  if (Object.keys(asJsonObject(metadata.annotations)).length > 0) {
    report.annotations(metadata.annotations, { level: 1 });
  }
  if (spec.serviceAccountName) report.field(1, 'Service Account', spec.serviceAccountName);
  const initContainers = asRecords(spec.initContainers);
  if (initContainers.length > 0) describeContainers(report, 'Init Containers', initContainers, { level: 1 });
  describeContainers(report, 'Containers', asRecords(spec.containers), { level: 1 });
  describeVolumes(report, spec.volumes, dialect, 1);
  if (spec.priorityClassName) report.field(1, 'Priority Class Name', spec.priorityClassName);
}

/** A template alone, as revisions of it are shown: with tabs, as the client of release 1.20 has it there. */
export function formatPodTemplate(template: Fields, dialect: Dialect): string {
  const report = new Report(dialect);
  describePodTemplate(report, template, dialect);
  return report.toTabbedText();
}
