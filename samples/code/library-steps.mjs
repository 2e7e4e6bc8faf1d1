// The steps of the commands, with the configuration in this folder: submit, approve, pay, compare, export.
import { approveStep, Fault, ledgerExportStep, openWorkplace, payStep, reconcileStep, submitFile } from "paydrop";

const workplace = openWorkplace("paydrop.yaml", process.env);
try {
  const { digest, problems, reading } = await submitFile(workplace, "payouts.xlsx", "ann");
  if (digest === undefined) throw new Error(problems.map(({ message }) => message).join("; "));
  await approveStep(workplace, digest, "ben", { acceptReading: reading?.questions.length }); // once somebody has read them
  const { due, accepted, inDoubt } = await payStep(workplace);
  console.log(due, accepted, inDoubt); // 18 18 0
  console.log((await reconcileStep(workplace)).openBreaks.length);
  console.log((await ledgerExportStep(workplace)).issued); // one export batch a target; none while no payout has settled
} catch (error) {
  if (!(error instanceof Fault)) throw error;
  console.error(error.problem.code, error.problem.fix);
} finally {
  await workplace.close();
}
