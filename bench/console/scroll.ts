import type { Browser } from 'playwright-core';
import { placeOf } from '../../infra/data/place.ts';
import type { Host } from '../../infra/local/host.ts';
import { crowd } from '../../test/console/support/crowd.ts';
import { furnish } from '../../test/console/support/furnished.ts';
import { clientWith } from '../../test/support/api.ts';
