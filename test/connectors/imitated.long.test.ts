import { kindNames } from '#lib/catalog/kinds/system-kinds.ts';
import { longScenesOf } from './kinds.ts';
import { playKinds } from './play-kinds.ts';

playKinds(kindNames, longScenesOf);
