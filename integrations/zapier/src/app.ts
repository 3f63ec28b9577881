import { authentication } from './authentication.ts';
import { createImage } from './creates/createImage.ts';
import { createVideo } from './creates/createVideo.ts';
import { hydrators } from './hydrators.ts';
import { findBalance } from './searches/findBalance.ts';
import { findGeneration } from './searches/findGeneration.ts';
import { findPrice } from './searches/findPrice.ts';
import { imageModelList, modelList, videoModelList } from './triggers/models.ts';

/** The whole app except its versions. */
export const app = {
  authentication,
  flags: {
    // The app cleans values itself, so that a step sees the user's own input.
    cleanInputData: false,
    // Statuses are returned to the calling code: errors.ts words them.
    skipThrowForStatus: true,
    throwForThrottlingEarly: false,
  },
  hydrators,
  triggers: {
    [videoModelList.key]: videoModelList,
    [imageModelList.key]: imageModelList,
    [modelList.key]: modelList,
  },
  creates: {
    [createVideo.key]: createVideo,
    [createImage.key]: createImage,
  },
  searches: {
    [findGeneration.key]: findGeneration,
    [findPrice.key]: findPrice,
    [findBalance.key]: findBalance,
  },
};
