import {
  type IExecuteFunctions,
  type INodeExecutionData,
  type INodeType,
  type INodeTypeDescription,
  NodeConnectionTypes,
  NodeOperationError,
} from 'n8n-workflow';
import { imageRequest, videoRequest } from './actions/createBody';
import { createGenerations } from './actions/createGenerations';
import { eachItem } from './actions/eachItem';
import { estimatePrices } from './actions/estimatePrice';
import { getBalance } from './actions/getBalance';
import { listModels } from './actions/listModels';
import { readGenerations } from './actions/readGenerations';
import { getAspectRatios, getOutputFormats, getResolutions } from './loadChoices';
import { accountFields } from './resources/account';
import { generationFields } from './resources/generation';
import { imageFields } from './resources/image';
import { modelFields } from './resources/model';
import { videoFields } from './resources/video';
import { searchImageModels, searchVideoModels } from './searchModels';

/** Creates videos and images with Framegate, waits for them, and reads models and credits. */
export class Framegate implements INodeType {
  description: INodeTypeDescription = {
    displayName: 'Framegate',
    name: 'framegate',
    icon: {
      light: 'file:../../icons/framegate.svg',
      dark: 'file:../../icons/framegate.dark.svg',
    },
    group: ['transform'],
    version: 1,
    subtitle: '={{ $parameter["operation"] + ": " + $parameter["resource"] }}',
    description: 'Create videos and images from prompts, images and other media',
    defaults: { name: 'Framegate' },
    usableAsTool: true,
    inputs: [NodeConnectionTypes.Main],
    outputs: [NodeConnectionTypes.Main],
    credentials: [{ name: 'framegateApi', required: true }],
    properties: [
      {
        displayName: 'Resource',
        name: 'resource',
        type: 'options',
        noDataExpression: true,
        options: [
          { name: 'Account', value: 'account' },
          { name: 'Generation', value: 'generation' },
          { name: 'Image', value: 'image' },
          { name: 'Model', value: 'model' },
          { name: 'Video', value: 'video' },
        ],
        default: 'video',
      },
      ...accountFields,
      ...generationFields,
      ...imageFields,
      ...modelFields,
      ...videoFields,
    ],
  };

  methods = {
    listSearch: { searchImageModels, searchVideoModels },
    loadOptions: { getAspectRatios, getOutputFormats, getResolutions },
  };

  async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
    const resource = this.getNodeParameter('resource', 0);
    const operation = this.getNodeParameter('operation', 0);
    switch (`${resource}:${operation}`) {
      case 'video:create':
        return [await createGenerations(this, videoRequest)];
      case 'image:create':
        return [await createGenerations(this, imageRequest)];
      case 'video:estimatePrice':
        return [await estimatePrices(this, 'video')];
      case 'image:estimatePrice':
        return [await estimatePrices(this, 'image')];
      case 'generation:get':
        return [await readGenerations(this, false)];
      case 'generation:wait':
        return [await readGenerations(this, true)];
      case 'model:getAll':
        return [await eachItem(this, listModels)];
      case 'account:getBalance':
        return [await eachItem(this, getBalance)];
      default:
        throw new NodeOperationError(
          this.getNode(),
          `The operation "${operation}" is not known for "${resource}"`,
          { description: 'Open this node and choose a resource and an operation from the lists.' },
        );
    }
  }
}
