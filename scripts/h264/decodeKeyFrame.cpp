// What the gateway calls of OpenH264: one key frame in, its planes out. Compiled with it by build.sh.
#include <stdlib.h>
#include "codec_api.h"

// All that OpenH264 needs of a C++ library.
void *operator new(size_t bytes) { return malloc(bytes); }
void *operator new[](size_t bytes) { return malloc(bytes); }
void operator delete(void *memory) noexcept { free(memory); }
void operator delete[](void *memory) noexcept { free(memory); }
void operator delete(void *memory, size_t) noexcept { free(memory); }
void operator delete[](void *memory, size_t) noexcept { free(memory); }
extern "C" void __cxa_pure_virtual() { abort(); }

namespace {
/** The frame's size, the bytes between its rows (luma, chroma), and where its planes are. */
int frame[7];
}  // namespace

extern "C" {

__attribute__((export_name("allocate"))) void *allocate(int bytes) { return malloc(bytes); }

/**
 * Decodes the first picture of an Annex B stream that begins with its parameter sets. The planes (8 bits,
 * 4:2:0) stay in memory as long as the instance. Returns the address of `frame`, or 0 where there is none.
 */
__attribute__((export_name("decodeKeyFrame"))) int *decodeKeyFrame(const unsigned char *stream, int bytes) {
  ISVCDecoder *decoder = nullptr;
  if (WelsCreateDecoder(&decoder) != 0 || decoder == nullptr) return nullptr;
  int quiet = WELS_LOG_QUIET;
  decoder->SetOption(DECODER_OPTION_TRACE_LEVEL, &quiet);
  SDecodingParam how = {};
  how.eEcActiveIdc = ERROR_CON_DISABLE;
  how.sVideoProperty.size = sizeof(how.sVideoProperty);
  how.sVideoProperty.eVideoBsType = VIDEO_BITSTREAM_AVC;
  if (decoder->Initialize(&how) != 0) return nullptr;
  unsigned char *planes[3] = {};
  SBufferInfo info = {};
  if (decoder->DecodeFrameNoDelay(stream, bytes, planes, &info) != dsErrorFree) return nullptr;
  // A stream that may reorder pictures holds the first one back.
  if (info.iBufferStatus != 1 && decoder->FlushFrame(planes, &info) != dsErrorFree) return nullptr;
  if (info.iBufferStatus != 1 || planes[0] == nullptr) return nullptr;
  const SSysMEMBuffer &buffer = info.UsrData.sSystemBuffer;
  frame[0] = buffer.iWidth;
  frame[1] = buffer.iHeight;
  frame[2] = buffer.iStride[0];
  frame[3] = buffer.iStride[1];
  for (int plane = 0; plane < 3; plane += 1) frame[4 + plane] = reinterpret_cast<int>(planes[plane]);
  return frame;
}
}
