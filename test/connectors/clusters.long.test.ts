import { shortScenesOf } from './kinds.ts';
import { parts, playKinds } from './play-kinds.ts';

playKinds(parts.clusters, shortScenesOf);
