"""Golden screens of the other panes, prompts, overlays and themes."""

RENAME = 'keys s e t Space s e q u e n c e _ l e n g t h = T'
ZOO = '../repair/zoo/'

# name: model, sizes (columns), what is saved (screen or cells), lines
CASES = {
    # The inspector: nodes, their attributes and findings, inputs, outputs, weights.
    'inspector': ('dynamic_rnn.onnx', '80 120 200', 'screen', ['goto /rnn/RNN', 'pane inspector']),
    'inspector_end': ('dynamic_rnn.onnx', '80', 'screen', ['goto /rnn/RNN', 'pane inspector', 'last']),
    'inspector_input': ('dynamic_rnn.onnx', '80 120', 'cells', ['goto input', 'pane inspector']),
    'inspector_axis': ('dynamic_rnn.onnx', '80', 'cells', ['goto input', 'pane inspector', 'keys l']),
    'inspector_output': ('dynamic_rnn.onnx', '80', 'screen', ['goto output', 'pane inspector']),
    'inspector_weight': ('dynamic_rnn.onnx', '80 120', 'screen',
                         ['goto /rnn/RNN', 'pane inspector', 'keys j j j j j j', 'open']),
    'inspector_weight_ascii': ('dynamic_rnn.onnx', '80', 'screen',
                               ['option ascii on', 'goto /rnn/RNN', 'pane inspector', 'keys j j j j j j', 'open']),
    'inspector_finding': ('pinned_reshape.onnx', '80', 'cells', ['goto /Reshape', 'pane inspector']),
    'inspector_finding_soft': ('demo.onnx', '80', 'screen',
                               ['goto /embeddings/position/Gather', 'pane inspector']),
    'inspector_attributes': ('attributes.onnx', '80 120', 'screen', ['goto every', 'pane inspector']),
    'inspector_attributes_end': ('attributes.onnx', '80', 'screen', ['goto every', 'pane inspector', 'last']),
    'inspector_function': ('attributes.onnx', '80', 'screen', ['goto refer', 'pane inspector']),
    'inspector_wide_dims': ('shared:swin_t.onnx', '80', 'screen', ['search op:Softmax', 'pane inspector']),
    'inspector_tried': ('dynamic_rnn.onnx', '80', 'screen',
                        ['try sequence_length=7 batch_size=2', 'goto /rnn/RNN', 'pane inspector', 'last']),
    'inspector_hostile': ('hostile_names.onnx', '80', 'screen', ['keys j', 'pane inspector']),

    # Symbols: bounds, pins, sizes being tried, generated ones, more than fit, none.
    'symbols': ('demo.onnx', '80 120', 'cells', ['pane symbols']),
    'symbols_bound': ('demo.onnx', '80', 'screen', ['pane symbols', 'keys j']),
    'symbols_pinned': ('pinned_reshape.onnx', '80', 'cells', ['pane symbols']),
    'symbols_tried': ('demo.onnx', '80', 'cells', ['pane symbols', 'try seq=8', 'keys j']),
    'symbols_stepped': ('demo.onnx', '80', 'screen', ['pane symbols', 'keys j', 'try seq=8', 'keys l']),
    'symbols_step_nothing': ('demo.onnx', '80', 'screen', ['pane symbols', 'keys l']),
    'symbols_made': ('shared:frcnn.onnx', '80', 'cells', ['pane symbols', 'keys j j j']),
    'symbols_many': ('shared:frcnn.onnx', '120', 'screen', ['pane symbols', 'last']),
    'symbols_none': ('empty_graph.onnx', '80', 'screen', ['pane symbols']),

    # Problems: with a repair, without, after an edit, many, none.
    'problems': ('pinned_reshape.onnx', '80 120', 'cells', ['pane problems']),
    'problems_second': ('pinned_reshape.onnx', '80', 'screen', ['pane problems', 'keys j']),
    'problems_repaired': ('pinned_reshape.onnx', '120', 'cells', ['pane problems', 'keys R']),
    'problems_made': (ZOO + 'swin_legacy_3.onnx', '80 120', 'screen', ['set --force x:0=batch', 'pane problems']),
    'problems_many': ('duplicate_names.onnx', '80 120', 'screen',
                      ['pane problems', 'save-screen /dev/null', 'last']),
    'problems_names': ('duplicate_names.onnx', '80', 'cells', ['pane problems', 'keys j']),
    'problems_unknown_operator': ('attributes.onnx', '80', 'screen', ['pane problems']),
    'problems_cycle': ('cycle.onnx', '80', 'screen', ['pane problems']),
    'problems_inputs': ('no_shape.onnx', '80', 'screen', ['pane problems']),
    'problems_none': ('dynamic_rnn.onnx', '80', 'screen', ['pane problems']),

    # History: empty, edits, undone, selected with Enter, saved.
    'history': ('dynamic_rnn.onnx', '80 120', 'screen',
                ['set batch_size=B', 'set sequence_length=T', 'undo', 'pane history']),
    'history_empty': ('dynamic_rnn.onnx', '80', 'screen', ['pane history']),
    'history_cells': ('dynamic_rnn.onnx', '80', 'cells',
                      ['set batch_size=B', 'set sequence_length=T', 'undo', 'pane history']),
    'history_undone': ('dynamic_rnn.onnx', '80', 'screen',
                       ['set batch_size=B', 'set sequence_length=T', 'pane history', 'keys k k Enter']),

    'ops': ('demo.onnx', '80 120', 'screen', ['pane ops']),
    'ops_found': ('demo.onnx', '80', 'screen', ['pane ops', 'keys j j Enter']),
    'metadata': ('demo.onnx', '80', 'screen', ['pane metadata']),
    'metadata_much': ('metadata.onnx', '80 120', 'screen', ['pane metadata']),
    'metadata_functions': ('functions.onnx', '80', 'screen', ['pane metadata']),

    # Prompts.  Saving the screen ends a preview: the graph is unchanged, the prompt is not.
    'edit_prompt': ('dynamic_rnn.onnx', '80 120', 'cells', ['goto input', 'keys e']),
    'edit_prompt_axis': ('dynamic_rnn.onnx', '80', 'screen', ['goto input', 'keys e', 'keys Tab']),
    'edit_preview': ('dynamic_rnn.onnx', '80 120', 'cells', ['goto input', 'keys e', 'keys Ctrl-U', RENAME]),
    'edit_conflict': ('dynamic_rnn.onnx', '80', 'screen',
                      ['goto input', 'keys e', 'keys Tab Tab', 'keys Backspace Backspace 7']),
    'edit_bad': ('dynamic_linear.onnx', '80', 'cells', ['goto input', 'keys e', 'keys Ctrl-W']),
    'edit_pinned': ('pinned_reshape.onnx', '80', 'cells', ['edit set input:0=', 'keys N']),
    'edit_pinned_entered': ('pinned_reshape.onnx', '80 120', 'cells', ['edit set input:0=', 'keys N', 'keys Enter']),
    'edit_pinned_forced': ('pinned_reshape.onnx', '80', 'screen', ['edit set --force *:0=', 'keys N', 'keys Enter']),
    'edited': ('dynamic_rnn.onnx', '120', 'cells', ['set sequence_length=T']),
    'rename_prompt': ('dynamic_rnn.onnx', '80', 'screen', ['pane symbols', 'keys r']),
    'try_prompt': ('dynamic_rnn.onnx', '80', 'screen', ['pane symbols', 'keys =']),
    'try': ('dynamic_rnn.onnx', '80 120', 'cells', ['try sequence_length=7 batch_size=2']),
    'command_prompt': ('dynamic_rnn.onnx', '80', 'screen', ['keys :', 'keys s e t', 'keys Space']),
    'completion': ('dynamic_rnn.onnx', '80', 'screen', ['keys :', 'keys t h', 'keys Tab']),
    'completion_theme': ('dynamic_rnn.onnx', '80', 'screen', ['keys :', 'keys t h e m e Space', 'keys Tab Tab']),
    'search_prompt': ('dynamic_rnn.onnx', '80', 'screen', ['keys /', 'keys o p :']),

    # Overlays.
    'help': ('dynamic_rnn.onnx', '80 120 200', 'screen', ['help']),
    'help_down': ('dynamic_rnn.onnx', '80', 'screen', ['help', 'save-screen /dev/null', 'keys Space j j']),
    'help_narrowed': ('dynamic_rnn.onnx', '80', 'cells', ['help', 'keys / u n d o']),
    'help_nothing': ('dynamic_rnn.onnx', '80', 'screen', ['help', 'keys / q q q q']),
    'palette': ('demo.onnx', '80 120', 'screen', ['palette', 'keys s o f']),
    'palette_cells': ('demo.onnx', '80', 'cells', ['palette', 'keys b a t']),
    'palette_command': ('demo.onnx', '80', 'screen', ['palette', 'keys f o l d']),
    'palette_all': ('demo.onnx', '80', 'screen', ['palette']),
    'palette_nothing': ('demo.onnx', '80', 'screen', ['palette', 'keys q q q q']),
    'why': ('dynamic_rnn.onnx', '80 120', 'screen', ['goto output', 'why']),
    'why_cells': ('demo.onnx', '80', 'cells', ['goto logits', 'why']),
    'why_problem': ('pinned_reshape.onnx', '80', 'screen', ['goto /Reshape', 'why']),
    'why_note': ('demo.onnx', '80', 'screen', ['goto /embeddings/position/Gather', 'why']),

    # Notices.
    'notice': ('dynamic_rnn.onnx', '80', 'cells', ['keys y']),
    'notice_bad': ('dynamic_rnn.onnx', '80', 'cells', ['keys Z']),
}
