set(page_scripts engine.js text.js history.js camera.js light.js stage.js controls.js stepper.js page.js)
