/** What of each quota is used, recalculated from the objects that it counts. Charging writes is for admission. */
export { resourceQuotaController } from './resource-quota-controller.ts';
