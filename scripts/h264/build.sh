#!/bin/sh
# Builds gateway/media/src/h264/decoder.wasm from the source of OpenH264 (BSD-2-Clause) with
# Zig's C++ compiler, as docs/adr/0011-posters.md says. The same source and compiler give the same bytes.
# decoder.wasm.sha256 has their hash, and a workflow compares it with a build of its own.
#   pip install --require-hashes -r scripts/h264/requirements.txt
#   build.sh OPENH264_FOLDER [COMPILER]
#   sha256sum --check scripts/h264/decoder.wasm.sha256
set -eu
source=$1
compiler=${2:-python3 -m ziglang}
here=$(cd "$(dirname "$0")" && pwd)
target=$here/../../gateway/media/src/h264
mkdir -p "$target"
cd "$source"
common="common_tables copy_mb cpu crt_util_safe_x deblocking_common expand_pic intra_pred_common mc
  memory_align sad_common utils welsCodecTrace WelsTaskThread WelsThread WelsThreadLib WelsThreadPool"
files=$here/decodePicture.cpp
for name in $common; do files="$files codec/common/src/$name.cpp"; done
files="$files $(echo codec/decoder/core/src/*.cpp) codec/decoder/plus/src/welsDecoderExt.cpp"
# The memory is the caller's, who bounds it.
# shellcheck disable=SC2086
$compiler cc -target wasm32-wasi -mexec-model=reactor -O2 -s -fno-exceptions -fno-rtti -w \
  -fno-sanitize=all -DHW_NCPU_NAME='""' \
  -I"$here/single-thread" -Icodec/api/wels -Icodec/common/inc -Icodec/decoder/core/inc \
  -Icodec/decoder/plus/inc -Wl,--import-memory,-z,stack-size=1048576 \
  -o "$target/decoder.wasm" $files
cp LICENSE "$target/LICENSE"
chmod 644 "$target/decoder.wasm"
