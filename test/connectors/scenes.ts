import type { Scene } from './scene.ts';
import { answerLost } from './scenes/answer-lost.ts';
import { awayAtSubmission } from './scenes/away-at-submission.ts';
import { awayAtTheEnd } from './scenes/away-at-the-end.ts';
import { awayForLonger } from './scenes/away-for-longer.ts';
import { callsWithinABound } from './scenes/calls-within-a-bound.ts';
import { cancelledWhileAway } from './scenes/cancelled-while-away.ts';
import { cancelledWhileHandedOver } from './scenes/cancelled-while-handed-over.ts';
import { cancelledWhileQueued } from './scenes/cancelled-while-queued.ts';
import { cancelledWhileRunning } from './scenes/cancelled-while-running.ts';
import { chargedByTheRule } from './scenes/charged-by-the-rule.ts';
import { cleanedUp } from './scenes/cleaned-up.ts';
import { commandMissing } from './scenes/command-missing.ts';
import { dataSets } from './scenes/data-sets.ts';
import { exitCode } from './scenes/exit-code.ts';
import { fetchedInputs } from './scenes/fetched-inputs.ts';
import { foundAgain } from './scenes/found-again.ts';
import { idle } from './scenes/idle.ts';
import { inputUnpacked } from './scenes/input-unpacked.ts';
import { inputsByService } from './scenes/inputs-by-service.ts';
import { killedAtEnd } from './scenes/killed-at-end.ts';
import { killedAtHandOver } from './scenes/killed-at-hand-over.ts';
import { largeAndManyResults } from './scenes/large-and-many-results.ts';
import { lostAndStartedAgain } from './scenes/lost-and-started-again.ts';
import { namesThatHurt } from './scenes/names-that-hurt.ts';
import { outputWhileItRuns } from './scenes/output-while-it-runs.ts';
import { overTime } from './scenes/over-time.ts';
import { percentSigns } from './scenes/percent-signs.ts';
import { projectFolder } from './scenes/project-folder.ts';
import { sentOutputs } from './scenes/sent-outputs.ts';
import { startedAgain } from './scenes/started-again.ts';
import { study } from './scenes/study.ts';
import { suspended } from './scenes/suspended.ts';
import { suspendedForLong } from './scenes/suspended-for-long.ts';
import { tooMuchMemory } from './scenes/too-much-memory.ts';
import { unsafeInput } from './scenes/unsafe-input.ts';
import { unsafeZips } from './scenes/unsafe-zips.ts';

/** All scenes, in the order of a job's life. */
export const scenes: readonly Scene[] = [
  inputUnpacked,
  unsafeZips,
  unsafeInput,
  dataSets,
  projectFolder,
  fetchedInputs,
  sentOutputs,
  inputsByService,
  study,
  exitCode,
  commandMissing,
  overTime,
  tooMuchMemory,
  outputWhileItRuns,
  largeAndManyResults,
  namesThatHurt,
  percentSigns,
  cancelledWhileHandedOver,
  cancelledWhileQueued,
  cancelledWhileRunning,
  cancelledWhileAway,
  awayAtSubmission,
  awayAtTheEnd,
  awayForLonger,
  answerLost,
  killedAtHandOver,
  killedAtEnd,
  foundAgain,
  startedAgain,
  lostAndStartedAgain,
  suspended,
  suspendedForLong,
  chargedByTheRule,
  callsWithinABound,
  idle,
  cleanedUp,
];
