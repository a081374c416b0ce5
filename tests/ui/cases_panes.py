"""Golden screens of the other panes, prompts, overlays and themes."""

# name: model, sizes (columns), what is saved (screen or cells), lines
CASES = {
    'pinned': ('pinned_reshape.onnx', '80 120', 'cells', ['pane problems']),
    'pinned_repaired': ('pinned_reshape.onnx', '120', 'cells', ['pane problems', 'keys R']),
    'inspector': ('dynamic_rnn.onnx', '80 120', 'screen', ['goto /rnn/RNN', 'pane inspector']),
    'inspector_input': ('dynamic_rnn.onnx', '120', 'cells', ['goto input', 'pane inspector']),
    'symbols': ('demo.onnx', '80 120', 'cells', ['pane symbols']),
    'problems': ('pinned_reshape.onnx', '80', 'screen', ['pane problems']),
    'history': ('dynamic_rnn.onnx', '80 120', 'screen', ['set batch_size=B', 'set sequence_length=T', 'undo', 'pane history']),
    'ops': ('demo.onnx', '80 120', 'screen', ['pane ops']),
    'metadata': ('demo.onnx', '80', 'screen', ['pane metadata']),
    'edit_prompt': ('dynamic_rnn.onnx', '80 120', 'cells', ['goto input', 'keys e']),
    'edit_preview': ('dynamic_rnn.onnx', '80 120', 'cells', ['goto input', 'edit set sequence_length=T']),
    'edit_bad': ('dynamic_linear.onnx', '80', 'cells', ['edit set input:1=7']),
    'edited': ('dynamic_rnn.onnx', '120', 'cells', ['set sequence_length=T']),
    'command_prompt': ('dynamic_rnn.onnx', '80', 'screen', ['keys :', 'keys set', 'keys Space']),
    'completion': ('dynamic_rnn.onnx', '80', 'screen', ['keys :', 'keys th', 'keys Tab']),
    'search_prompt': ('dynamic_rnn.onnx', '80', 'screen', ['keys /', 'keys op:']),
    'try': ('dynamic_rnn.onnx', '80 120', 'cells', ['try sequence_length=7 batch_size=2']),
    'help': ('dynamic_rnn.onnx', '80 120', 'screen', ['help']),
    'palette': ('demo.onnx', '80 120', 'screen', ['palette', 'keys s', 'keys o', 'keys f']),
    'why': ('dynamic_rnn.onnx', '80 120', 'screen', ['goto output', 'why']),
    'error_notice': ('dynamic_rnn.onnx', '80', 'cells', ['keys Z']),
}
