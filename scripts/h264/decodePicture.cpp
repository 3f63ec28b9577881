// The gateway's interface to OpenH264: pictures in, the planes of the last one out. Compiled with it by build.sh.
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
ISVCDecoder *decoder = nullptr;
/** Pictures that were given, and the one of them that `frame` is of. */
unsigned long long given = 0;
unsigned long long shown = 0;
/** The frame's size, the bytes between its rows (luma, chroma), and where its planes are. */
int frame[7];

bool start() {
  if (WelsCreateDecoder(&decoder) != 0 || decoder == nullptr) return false;
  int quiet = WELS_LOG_QUIET;
  decoder->SetOption(DECODER_OPTION_TRACE_LEVEL, &quiet);
  SDecodingParam how = {};
  how.eEcActiveIdc = ERROR_CON_DISABLE;
  how.sVideoProperty.size = sizeof(how.sVideoProperty);
  how.sVideoProperty.eVideoBsType = VIDEO_BITSTREAM_AVC;
  return decoder->Initialize(&how) == 0;
}

/** Keeps where the picture is that the decoder has given out; it may be one from before. */
bool note(const SBufferInfo &info, unsigned char *const *planes) {
  if (info.iBufferStatus != 1 || planes[0] == nullptr) return false;
  const SSysMEMBuffer &buffer = info.UsrData.sSystemBuffer;
  frame[0] = buffer.iWidth;
  frame[1] = buffer.iHeight;
  frame[2] = buffer.iStride[0];
  frame[3] = buffer.iStride[1];
  for (int plane = 0; plane < 3; plane += 1) frame[4 + plane] = reinterpret_cast<int>(planes[plane]);
  shown = info.uiOutYuvTimeStamp;
  return true;
}
}  // namespace

extern "C" {

__attribute__((export_name("allocate"))) void *allocate(int bytes) { return malloc(bytes); }

/** Decodes the next picture (one access unit, Annex B; the first with its parameter sets). 0 where it cannot. */
__attribute__((export_name("decode"))) int decode(const unsigned char *unit, int bytes) {
  if (decoder == nullptr && !start()) return 0;
  given += 1;
  unsigned char *planes[3] = {};
  SBufferInfo info = {};
  info.uiInBsTimeStamp = given;
  if (decoder->DecodeFrameNoDelay(unit, bytes, planes, &info) != dsErrorFree) return 0;
  note(info, planes);
  return 1;
}

/**
 * The picture that was given last. The planes (8 bits, 4:2:0) stay in memory as long as the instance.
 * Returns the address of `frame`, or 0 where there is none.
 */
__attribute__((export_name("lastPicture"))) int *lastPicture() {
  // A stream that may reorder pictures holds some back.
  while (shown != given) {
    unsigned char *planes[3] = {};
    SBufferInfo info = {};
    if (decoder == nullptr || decoder->FlushFrame(planes, &info) != dsErrorFree) return nullptr;
    if (!note(info, planes)) return nullptr;
  }
  return given == 0 ? nullptr : frame;
}
}
