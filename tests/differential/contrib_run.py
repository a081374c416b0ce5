"""Runs models in a child process, since a kernel that trusts its inputs may crash."""

import multiprocessing
import os


def _run(ort, session, names, feeds, alias):
    if not alias:
        return session.run(names, feeds)
    binding = session.io_binding()
    given = {name: ort.OrtValue.ortvalue_from_numpy(value) for name, value in feeds.items()}
    for name, value in given.items():
        binding.bind_ortvalue_input(name, value)
    for name in names:
        if name in alias:
            binding.bind_ortvalue_output(name, given[alias[name]])
        else:
            binding.bind_output(name)
    session.run_with_iobinding(binding)
    return binding.copy_outputs_to_cpu()


def _serve(pipe):
    import onnxruntime as ort
    ort.set_default_logger_severity(3)
    options = ort.SessionOptions()
    options.graph_optimization_level = ort.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.log_severity_level = 2
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    log = os.memfd_create('log')
    os.dup2(log, 2)
    while True:
        model, feeds, alias = pipe.recv()
        os.ftruncate(log, 0)
        os.lseek(log, 0, os.SEEK_SET)
        try:
            stage = 'load'
            session = ort.InferenceSession(model, options, providers=['CPUExecutionProvider'])
            stage = 'run'
            names = [o.name for o in session.get_outputs()]
            values = _run(ort, session, names, feeds, alias)
            answer = ('ok', {n: list(v.shape) for n, v in zip(names, values) if hasattr(v, 'shape')})
        except Exception as e:
            answer = (stage, str(e))
        os.lseek(log, 0, os.SEEK_SET)
        pipe.send((*answer, os.read(log, 1 << 16).decode(errors='replace')))


class Runtime:
    """onnxruntime in another process, started anew after a crash."""

    def __init__(self):
        self.process = None

    def _start(self):
        context = multiprocessing.get_context('fork')
        self.pipe, theirs = context.Pipe()
        self.process = context.Process(target=_serve, args=(theirs,), daemon=True)
        self.process.start()
        theirs.close()

    def stop(self):
        if self.process:
            self.process.kill()
            self.process.join()
        self.process = None

    def run(self, model, feeds, alias):
        """('ok', shapes, log), ('load' or 'run', message, log) or ('crash', '', '')."""
        if not self.process:
            self._start()
        try:
            self.pipe.send((model.SerializeToString(), feeds, alias))
            if self.pipe.poll(60):
                return self.pipe.recv()
        except (EOFError, ConnectionError):
            pass
        self.stop()
        return 'crash', '', ''
